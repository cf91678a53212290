import { useFetchers } from "@remix-run/react";
import { useEffect, useLayoutEffect } from "react";

import { findTheme, type Theme } from "./theme.ts";

/** The class that makes everything dark, wherever it comes from. */
const DARK_CLASS = "dark-theme";

const DARK_DEVICE = "(prefers-color-scheme: dark)";

/**
 * Runs before the first paint. Once the device has been asked, the attribute goes, and from then on the
 * class alone decides.
 */
const SCRIPT = `(function (root) {
  root.classList.toggle("${DARK_CLASS}", matchMedia("${DARK_DEVICE}").matches);
  root.removeAttribute("data-theme");
})(document.documentElement);`;

/** Returns what tells <html> its colours before any script has run. */
export function htmlThemeProps(theme: Theme) {
  return {
    className: theme === "dark" ? DARK_CLASS : undefined,
    "data-theme": theme === "system" ? theme : undefined,
  };
}

/** Keeps the class of <html> true to the theme: at first paint, on a change, and when the device changes its mind. */
export function ThemeScript({ theme, nonce }: { theme: Theme; nonce: string }) {
  useThemeClass(theme);
  if (theme !== "system") return null;
  return (
    <script
      nonce={nonce}
      // Browsers hide the nonce from React, which would miss it.
      suppressHydrationWarning
      // oxlint-disable-next-line react/no-danger -- a constant of this module
      dangerouslySetInnerHTML={{ __html: SCRIPT }}
    />
  );
}

/** Returns the theme asked for a moment ago, or the given one when none is on its way. */
export function usePendingTheme(theme: Theme): Theme {
  const change = useFetchers().find(({ formAction }) => formAction === "/theme");
  return findTheme(change?.formData?.get("theme")) ?? theme;
}

function useThemeClass(theme: Theme) {
  const shown = usePendingTheme(theme);
  // Also after `theme` itself has changed, because React has then just written <html> anew.
  useBrowserLayoutEffect(() => {
    const root = document.documentElement;
    const device = matchMedia(DARK_DEVICE);
    function apply() {
      root.removeAttribute("data-theme");
      root.classList.toggle(DARK_CLASS, shown === "dark" || (shown === "system" && device.matches));
    }
    apply();
    if (shown !== "system") return undefined;
    device.addEventListener("change", apply);
    return () => device.removeEventListener("change", apply);
  }, [theme, shown]);
}

/** React warns of layout effects on the server, which has no layout. */
const useBrowserLayoutEffect = typeof document === "undefined" ? useEffect : useLayoutEffect;
