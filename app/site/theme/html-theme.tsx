import { useFetchers } from "@remix-run/react";

import { InlineScript } from "#app/ui/inline-script.tsx";
import { useBrowserLayoutEffect } from "#app/ui/hydration.ts";
import { findTheme, type Theme } from "./theme.ts";

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

/** Returns the theme that is being saved, or else the given one. */
export function usePendingTheme(theme: Theme): Theme {
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
