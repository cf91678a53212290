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

/** Counts page views from now on. Does nothing where the browser leaves it no place to store things. */
export async function startAnalytics(config: AnalyticsConfig): Promise<void> {
  analytics ??= initialize(config);
  const started = await analytics;
  if (started) setAnalyticsCollectionEnabled(started, true);
}

/** Counts nothing more. */
export async function stopAnalytics(): Promise<void> {
  const started = await analytics;
  if (started) setAnalyticsCollectionEnabled(started, false);
}

async function initialize(config: AnalyticsConfig): Promise<Analytics | null> {
  if (!(await isSupported())) return null;
  // People were asked about counting, not about advertisements.
  setConsent({ ad_storage: "denied", ad_user_data: "denied", ad_personalization: "denied" });
  return initializeAnalytics(initializeApp(config, "analytics"), {
    config: {
      allow_google_signals: false,
      allow_ad_personalization_signals: false,
      // Cookies of this host alone, which its server can take away again.
      cookie_domain: "none",
    },
  });
}
