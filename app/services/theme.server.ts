import { parse, serialize } from "cookie";

import { findTheme, type Theme } from "#app/schemas/theme.ts";

const COOKIE_NAME = "theme";
const MAX_AGE_SECONDS = 365 * 24 * 60 * 60;

/** Returns the colours the person chose, or `system` when they never did. */
export function getTheme(request: Request): Theme {
  const cookies = parse(request.headers.get("Cookie") ?? "");
  return findTheme(cookies[COOKIE_NAME]) ?? "system";
}

/** Returns the `Set-Cookie` value that remembers the choice for a year. */
export function keepTheme(theme: Theme): string {
  return serialize(COOKIE_NAME, theme, { maxAge: MAX_AGE_SECONDS, path: "/", sameSite: "lax" });
}
