import { useFetcher } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";

import type { AnalyticsConfig } from "#app/firebase/analytics.client.ts";
import { Button } from "#app/ui/button.tsx";
import { useHydrated } from "#app/ui/hydration.ts";
import styles from "./consent.module.css";

/** Whether page views may be counted: `never` if the browser sends Global Privacy Control. */
export type Consent = "unasked" | "yes" | "no" | "never";

interface AnalyticsData {
  consent: Consent;
  firebase: AnalyticsConfig;
}

/** The pages where the answer can be changed. */
const SETTINGS_PAGES = ["/profile", "/login"];

const TEXTS = {
  unasked:
    "Can we count page views with Google Analytics? It sees which pages you open, never what you write.",
  yes: "You allow us to count page views with Google Analytics.",
  no: "We don't count your page views.",
  never: "Your browser asks us not to track you, so we don't count your page views.",
};

const ANSWERS = {
  unasked: [
    ["yes", "Allow"],
    ["no", "Decline"],
  ],
  yes: [["no", "Stop counting"]],
  no: [["yes", "Allow counting"]],
  never: [],
} as const;

export interface ConsentBannerProps {
  consent: Consent;
  /** The path of the current page, without its query. */
  path: string;
  /** Where to redirect without JavaScript. */
  returnTo: string;
}

/** Asks at the end of each page whether page views may be counted, until the user answers. Stays on the settings pages. */
export function ConsentBanner({ consent, path, returnTo }: ConsentBannerProps) {
  const fetcher = useFetcher<{ offline: true } | null>({ key: "consent" });
  const isHydrated = useHydrated();
  const isSettingsPage = SETTINGS_PAGES.includes(path);
  const [answeredPath, setAnsweredPath] = useState<string>();
  const isAnswered = fetcher.data === null && answeredPath === path;
  const text = useRef<HTMLParagraphElement>(null);

  useEffect(() => {
    // The pressed button, which had the focus, was removed.
    if (isAnswered && document.activeElement === document.body) text.current?.focus();
  }, [isAnswered, consent]);

  if (consent !== "unasked" && !isSettingsPage && !isAnswered) return null;
  const isConfirmation = isAnswered && !isSettingsPage;
  return (
    <section className={styles.banner} aria-label="Page view counting">
      <p ref={text} tabIndex={-1}>
        {TEXTS[consent]}
        {isConfirmation
          ? " You can change this at the bottom of your profile or the Sign In page."
          : null}
      </p>
      {isConfirmation || ANSWERS[consent].length === 0 ? null : (
        <fetcher.Form
          method="post"
          action="/consent"
          className={styles.answers}
          onSubmit={() => setAnsweredPath(path)}
        >
          <input type="hidden" name="returnTo" value={returnTo} />
          {isHydrated ? <input type="hidden" name="stay" value="true" /> : null}
          {ANSWERS[consent].map(([value, label]) => (
            <Button
              key={value}
              type="submit"
              variant="quiet"
              name="analytics"
              value={value}
              isPending={fetcher.formData?.get("analytics") === value}
            >
              {label}
            </Button>
          ))}
        </fetcher.Form>
      )}
    </section>
  );
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
