import { useFetcher } from "@remix-run/react";

import { Icon } from "#app/ui/icon.tsx";
import { usePendingTheme } from "./html-theme.tsx";
import styles from "./theme-switch.module.css";
import type { Theme } from "./theme.ts";

/** What the switch does next, by what is shown now. */
const NEXT = {
  light: { theme: "dark", name: "Use dark theme", icon: "moon" },
  dark: { theme: "system", name: "Use device theme", icon: "device" },
  system: { theme: "light", name: "Use light theme", icon: "sun" },
} as const;

/** A key that goes from light to dark to what the device prefers. Without scripts it is a form that comes back. */
export function ThemeSwitch({ theme, returnTo }: { theme: Theme; returnTo: string }) {
  const fetcher = useFetcher();
  const next = NEXT[usePendingTheme(theme)];

  return (
    <fetcher.Form
      method="post"
      action="/theme"
      onSubmit={(event) => {
        // With scripts the page stays where it is.
        event.preventDefault();
        fetcher.submit({ theme: next.theme, stay: "true" }, { method: "post", action: "/theme" });
      }}
    >
      <input type="hidden" name="theme" value={next.theme} />
      <input type="hidden" name="returnTo" value={returnTo} />
      <button className={styles.button} type="submit" aria-label={next.name} title={next.name}>
        <Icon name={next.icon} />
      </button>
    </fetcher.Form>
  );
}
