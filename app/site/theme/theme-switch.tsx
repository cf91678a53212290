import { useFetcher } from "@remix-run/react";

import iconButton from "#app/ui/icon-button.module.css";
import { Icon } from "#app/ui/icon.tsx";
import { usePendingTheme } from "./html-theme.tsx";
import styles from "./theme-switch.module.css";
import type { Theme } from "./theme.ts";

const DEVICE_THEMES = ["light", "dark"] as const;

/** The next theme, by the current one and the device's. It never looks like the current one. */
const NEXT = {
  system: { light: "dark", dark: "light" },
  light: { light: "dark", dark: "system" },
  dark: { light: "system", dark: "light" },
} as const;

const BUTTONS = {
  light: { name: "Use light theme", icon: "sun" },
  dark: { name: "Use dark theme", icon: "moon" },
  system: { name: "Use device theme", icon: "device" },
} as const;

/**
 * A button that switches between light and dark; `system` takes the place of the one that is the device's theme. Without
 * JavaScript the form redirects back. The server does not know the device's theme, so it renders a form for each, and the
 * style sheet shows one of them.
 */
export function ThemeSwitch({ theme, returnTo }: { theme: Theme; returnTo: string }) {
  const fetcher = useFetcher();
  const nextThemes = NEXT[usePendingTheme(theme)];

  return DEVICE_THEMES.map((deviceTheme) => {
    const next = nextThemes[deviceTheme];
    const { name, icon } = BUTTONS[next];
    return (
      <fetcher.Form
        key={deviceTheme}
        className={styles[deviceTheme]}
        method="post"
        action="/theme"
        onSubmit={(event) => {
          event.preventDefault();
          fetcher.submit({ theme: next, stay: "true" }, { method: "post", action: "/theme" });
        }}
      >
        <input type="hidden" name="theme" value={next} />
        <input type="hidden" name="returnTo" value={returnTo} />
        <button className={iconButton.button} type="submit" aria-label={name} title={name}>
          <Icon name={icon} />
        </button>
      </fetcher.Form>
    );
  });
}
