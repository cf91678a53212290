import { createPreferenceCookie } from "#app/http/cookie.server.ts";
import { findTheme, type Theme } from "./theme.ts";

const cookie = createPreferenceCookie("theme", { maxAgeSeconds: 365 * 24 * 60 * 60 });

/** Returns the colours the person chose, or `system` when they never did. */
export function getTheme(request: Request): Theme {
  return findTheme(cookie.read(request)) ?? "system";
}

/** Returns the `Set-Cookie` value that remembers the choice for a year. */
export function setTheme(request: Request, theme: Theme): string {
  return cookie.write(request, theme);
}
