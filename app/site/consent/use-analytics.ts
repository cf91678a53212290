import { useEffect, useState } from "react";

import type { AnalyticsConfig } from "#app/firebase/analytics.client.ts";

/** Whether page views may be counted: `never` if the browser sends Global Privacy Control. */
export type Consent = "unasked" | "yes" | "no" | "never";

export interface AnalyticsData {
  consent: Consent;
  firebase: AnalyticsConfig;
}

/** Counts page views while the user agrees. */
export function useAnalytics(data: AnalyticsData | null, pathname: string) {
  const isAllowed = data?.consent === "yes";
  // The document's Content-Security-Policy allows Google's hosts only if the user had agreed before it was loaded.
  const [wasAllowed] = useState(isAllowed);
  const isOn = isAllowed && wasAllowed;
  const [firebase] = useState(data?.firebase);

  useEffect(() => {
    if (!isOn || !firebase || hasGlobalPrivacyControl()) return undefined;
    const loading = import("#app/firebase/analytics.client.ts");
    // Content blockers often block analytics. The page doesn't need it.
    loading.then((module) => module.startAnalytics(firebase)).catch(() => {});
    return () => {
      loading.then((module) => module.stopAnalytics()).catch(() => {});
    };
  }, [isOn, firebase]);

  useEffect(() => {
    if (!isOn || !firebase || hasGlobalPrivacyControl()) return;
    import("#app/firebase/analytics.client.ts")
      .then((module) => module.countPageView())
      .catch(() => {});
  }, [isOn, firebase, pathname]);
}

/**
 * Whether the browser has Global Privacy Control turned on: some browsers don't send its header.
 *
 * @see https://w3c.github.io/gpc/
 */
function hasGlobalPrivacyControl(): boolean {
  // oxlint-disable-next-line baseline-js/use-baseline -- checked here
  return "globalPrivacyControl" in navigator && navigator.globalPrivacyControl === true;
}
