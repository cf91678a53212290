import type { ReadingSettings } from "./settings.ts";

export const SETTINGS_COOKIE = { name: "reading", maxAgeSeconds: 365 * 24 * 60 * 60 };

/** Returns the value of the settings cookie. */
export function serializeSettings(settings: ReadingSettings): string {
  return new URLSearchParams(settings).toString();
}
