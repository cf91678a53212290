import {
  initializeAnalytics,
  isSupported,
  setAnalyticsCollectionEnabled,
  setConsent,
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

/** Starts counting page views. Does nothing where Analytics is not supported, such as without browser storage. */
export async function startAnalytics(config: AnalyticsConfig): Promise<void> {
  analytics ??= initialize(config);
  const started = await analytics;
  if (started) setAnalyticsCollectionEnabled(started, true);
}

/** Stops counting page views. */
export async function stopAnalytics(): Promise<void> {
  const started = await analytics;
  if (started) setAnalyticsCollectionEnabled(started, false);
}

async function initialize(config: AnalyticsConfig): Promise<Analytics | null> {
  if (!(await isSupported())) return null;
  // The consent form asks about analytics, not about advertising.
  setConsent({ ad_storage: "denied", ad_user_data: "denied", ad_personalization: "denied" });
  return initializeAnalytics(initializeApp(config, "analytics"), {
    config: {
      allow_google_signals: false,
      allow_ad_personalization_signals: false,
      // Limits the cookies to this host, so that its server can delete them.
      cookie_domain: "none",
    },
  });
}
