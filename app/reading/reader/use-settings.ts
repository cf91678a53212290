import { useState } from "react";

import { writeCookie } from "#app/http/browser-cookie.ts";
import { serializeSettings, SETTINGS_COOKIE } from "#app/reading/settings-cookie.ts";
import type { ReadingSettings } from "#app/reading/settings.ts";

/** Returns the settings of the text, and a function that changes them and saves them in this browser. */
export function useSettings(initial: ReadingSettings) {
  const [settings, setSettings] = useState(initial);

  function changeSettings(next: ReadingSettings) {
    setSettings(next);
    writeCookie(SETTINGS_COOKIE, serializeSettings(next));
  }

  return [settings, changeSettings] as const;
}
