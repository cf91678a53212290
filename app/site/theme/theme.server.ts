import { createCookie } from "#app/http/cookie.server.ts";
import { findTheme, type Theme } from "./theme.tsx";

const cookie = createCookie("theme", { maxAgeSeconds: 365 * 24 * 60 * 60 });

/** Returns the user's theme, or `system` if they never chose one. */
export function getTheme(request: Request): Theme {
  return findTheme(cookie.read(request)) ?? "system";
}

/** Returns the `Set-Cookie` value that stores the theme for a year. */
export function setTheme(request: Request, theme: Theme): string {
  return cookie.write(request, theme);
}
