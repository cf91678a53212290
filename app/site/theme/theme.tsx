import { useFetchers, useFetcher } from "@remix-run/react";

import { useBrowserLayoutEffect } from "#app/ui/hydration.ts";
import iconButton from "#app/ui/icon-button.module.css";
import { Icon } from "#app/ui/icon.tsx";
import { InlineScript } from "#app/ui/inline-script.tsx";
import styles from "./theme.module.css";

const THEMES = ["light", "dark", "system"] as const;

/** `system` follows the device. */
export type Theme = (typeof THEMES)[number];

/** Returns the value if it is a theme. Without Zod, because the browser loads this on every page. */
export function findTheme(value: unknown): Theme | undefined {
  return THEMES.find((theme) => theme === value);
}

/** The name is part of the specification. */
const DARK_CLASS = "dark-theme";

const DARK_MEDIA_QUERY = "(prefers-color-scheme: dark)";

/** Runs before the first paint: replaces `data-theme="system"` with the class of the device's theme. */
const SCRIPT = import.meta.env.SSR
  ? `(function (root) {
  root.classList.toggle("${DARK_CLASS}", matchMedia("${DARK_MEDIA_QUERY}").matches);
  root.removeAttribute("data-theme");
})(document.documentElement);`
  : "";

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

/** Returns the props of `<html>` that set the theme without JavaScript. */
export function getHtmlThemeProps(theme: Theme) {
  return {
    className: theme === "dark" ? DARK_CLASS : undefined,
    "data-theme": theme === "system" ? theme : undefined,
  };
}

/** Sets the theme class of `<html>`: before the first paint, and when the theme or the device's theme changes. */
export function ThemeScript({ theme }: { theme: Theme }) {
  useThemeClass(theme);
  return theme === "system" ? <InlineScript code={SCRIPT} /> : null;
}

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

/** Returns the theme that is being saved, or else the given one. */
function usePendingTheme(theme: Theme): Theme {
  const fetcher = useFetchers().find(({ formAction }) => formAction === "/theme");
  return findTheme(fetcher?.formData?.get("theme")) ?? theme;
}

function useThemeClass(theme: Theme) {
  const pendingTheme = usePendingTheme(theme);
  // Also runs when `theme` changes, because React has then just rewritten the class of <html>.
  useBrowserLayoutEffect(() => {
    const root = document.documentElement;
    const deviceDark = matchMedia(DARK_MEDIA_QUERY);
    function apply() {
      root.removeAttribute("data-theme");
      const isDark = pendingTheme === "dark" || (pendingTheme === "system" && deviceDark.matches);
      root.classList.toggle(DARK_CLASS, isDark);
    }
    apply();
    if (pendingTheme !== "system") return undefined;
    deviceDark.addEventListener("change", apply);
    return () => deviceDark.removeEventListener("change", apply);
  }, [theme, pendingTheme]);
}
