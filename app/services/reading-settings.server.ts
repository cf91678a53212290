import { parse, serialize } from "cookie";

import {
  readSettings,
  SETTINGS_COOKIE,
  writeSettings,
  type ReadingSettings,
} from "#app/schemas/reading-settings.ts";

/** Returns how the reader wants a text to look. */
export function getReadingSettings(request: Request): ReadingSettings {
  const cookies = parse(request.headers.get("Cookie") ?? "");
  return readSettings(new URLSearchParams(cookies[SETTINGS_COOKIE.name]));
}

/** Returns the `Set-Cookie` value that remembers the settings for a year. Scripts write the same cookie. */
export function keepReadingSettings(settings: ReadingSettings): string {
  const { name, maxAgeSeconds: maxAge } = SETTINGS_COOKIE;
  return serialize(name, writeSettings(settings), { maxAge, path: "/", sameSite: "lax" });
}
