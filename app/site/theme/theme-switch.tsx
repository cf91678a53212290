import { useFetcher } from "@remix-run/react";

import iconButton from "#app/ui/icon-button.module.css";
import { Icon } from "#app/ui/icon.tsx";
import { usePendingTheme } from "./html-theme.tsx";
import type { Theme } from "./theme.ts";

/** The next theme, by the current one. */
const NEXT = {
  light: { theme: "dark", name: "Use dark theme", icon: "moon" },
  dark: { theme: "system", name: "Use device theme", icon: "device" },
  system: { theme: "light", name: "Use light theme", icon: "sun" },
} as const;

/** A button that cycles through light, dark and the device's theme. Without JavaScript the form redirects back. */
export function ThemeSwitch({ theme, returnTo }: { theme: Theme; returnTo: string }) {
  const fetcher = useFetcher();
  const next = NEXT[usePendingTheme(theme)];

  return (
    <fetcher.Form
      method="post"
      action="/theme"
      onSubmit={(event) => {
        event.preventDefault();
        fetcher.submit({ theme: next.theme, stay: "true" }, { method: "post", action: "/theme" });
      }}
    >
      <input type="hidden" name="theme" value={next.theme} />
      <input type="hidden" name="returnTo" value={returnTo} />
      <button className={iconButton.button} type="submit" aria-label={next.name} title={next.name}>
        <Icon name={next.icon} />
      </button>
    </fetcher.Form>
  );
}
