import { useFetcher } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";

import { Button } from "#app/ui/button.tsx";
import { useHydrated } from "#app/ui/hydration.ts";
import styles from "./consent-banner.module.css";
import type { Consent } from "./use-analytics.ts";

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
