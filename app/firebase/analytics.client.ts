import {
  initializeAnalytics,
  isSupported,
  logEvent,
  setAnalyticsCollectionEnabled,
  setConsent,
  setDefaultEventParameters,
  type Analytics,
} from "firebase/analytics";
import { initializeApp } from "firebase/app";

/** What Firebase Analytics needs. None of it is secret. */
export interface AnalyticsConfig {
  apiKey: string;
  projectId: string;
  appId: string;
  measurementId: string;
}

let analytics: Promise<Analytics | null> | undefined;

/** Allows counting page views. Does nothing where Analytics is not supported, such as without browser storage. */
export async function startAnalytics(config: AnalyticsConfig): Promise<void> {
  analytics ??= initialize(config);
  const started = await analytics;
  if (started) setAnalyticsCollectionEnabled(started, true);
}

/** Stops counting page views, until `startAnalytics` is called again. */
export async function stopAnalytics(): Promise<void> {
  const started = await analytics;
  if (started) setAnalyticsCollectionEnabled(started, false);
}

/** Counts a view of the page that is open now. */
export async function countPageView(): Promise<void> {
  const page = getPage();
  const started = await analytics;
  if (!started) return;
  // Also for the events that Google's script sends by itself.
  setDefaultEventParameters(page);
  logEvent(started, "page_view", page);
}

/** Without the query, the title and the previous page, which may contain words that the user typed. */
function getPage() {
  const { origin, pathname } = location;
  return { page_location: origin + pathname, page_referrer: "", page_title: pathname };
}

async function initialize(config: AnalyticsConfig): Promise<Analytics | null> {
  if (!(await isSupported())) return null;
  // The consent form asks about analytics, not about advertising.
  setConsent({ ad_storage: "denied", ad_user_data: "denied", ad_personalization: "denied" });
  setDefaultEventParameters(getPage());
  return initializeAnalytics(initializeApp(config, "analytics"), {
    config: {
      // `countPageView` does that. Parameters set here would stay those of the first page.
      send_page_view: false,
      allow_google_signals: false,
      allow_ad_personalization_signals: false,
      // Limits the cookies to this host, so that its server can delete them.
      cookie_domain: "none",
    },
  });
}
