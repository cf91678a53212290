import { createPreferenceCookie } from "#app/http/cookie.server.ts";
import { readSettings, SETTINGS_COOKIE, writeSettings, type ReadingSettings } from "./settings.ts";

const cookie = createPreferenceCookie(SETTINGS_COOKIE.name, {
  maxAgeSeconds: SETTINGS_COOKIE.maxAgeSeconds,
  isForScripts: true,
});

/** Returns how the reader wants a text to look. */
export function getReadingSettings(request: Request): ReadingSettings {
  return readSettings(new URLSearchParams(cookie.read(request)));
}

/** Returns the `Set-Cookie` value that remembers the settings for a year. Scripts write the same cookie. */
export function keepReadingSettings(request: Request, settings: ReadingSettings): string {
  return cookie.write(request, writeSettings(settings));
}
