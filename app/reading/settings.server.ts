import { createCookie } from "#app/http/cookie.server.ts";
import { SETTINGS_COOKIE } from "./reading-data.ts";
import { readSettings, serializeSettings, type ReadingSettings } from "./settings.ts";

const cookie = createCookie(SETTINGS_COOKIE.name, {
  maxAgeSeconds: SETTINGS_COOKIE.maxAgeSeconds,
  isForScripts: true,
});

export function getReadingSettings(request: Request): ReadingSettings {
  return readSettings(new URLSearchParams(cookie.read(request)));
}

/** Returns a `Set-Cookie` value. Scripts write the same cookie. */
export function setReadingSettings(request: Request, settings: ReadingSettings): string {
  return cookie.write(request, serializeSettings(settings));
}
