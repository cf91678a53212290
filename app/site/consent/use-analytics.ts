import { useEffect, useState } from "react";

import type { AnalyticsConfig } from "#app/firebase/analytics.client.ts";

/** Whether page views may be counted: `unasked` until the person answers, `never` where their browser says no. */
export type Consent = "unasked" | "yes" | "no" | "never";

export interface AnalyticsData {
  consent: Consent;
  firebase: AnalyticsConfig;
}

/** Counts page views while the person agrees. `null` where a deployment counts none. */
export function useAnalytics(view: AnalyticsData | null) {
  const isAgreed = view?.consent === "yes";
  // The document's policy was set when it was made: whoever agrees later is counted from the next one on.
  const [wasAgreed] = useState(isAgreed);
  const isOn = isAgreed && wasAgreed;
  const [firebase] = useState(view?.firebase);

  useEffect(() => {
    if (!isOn || !firebase || hasGlobalPrivacyControl()) return undefined;
    const loading = import("#app/firebase/analytics.client.ts");
    // Where it cannot be loaded nothing is counted, and nobody needs to know.
    loading.then((module) => module.startAnalytics(firebase)).catch(() => {});
    return () => {
      loading.then((module) => module.stopAnalytics()).catch(() => {});
    };
  }, [isOn, firebase]);
}

/** Some browsers tell scripts only. @see https://w3c.github.io/gpc/ */
function hasGlobalPrivacyControl(): boolean {
  return "globalPrivacyControl" in navigator && navigator.globalPrivacyControl === true;
}
