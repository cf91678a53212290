import { useState } from "react";

import { SETTINGS_COOKIE, writeSettings, type ReadingSettings } from "#app/reading/settings.ts";
import { writeCookie } from "#app/http/browser-cookie.ts";

/** Holds the settings of the text, and remembers them on this device whenever one is changed. */
export function useSettings(initial: ReadingSettings) {
  const [settings, setSettings] = useState(initial);

  function choose(next: ReadingSettings) {
    setSettings(next);
    writeCookie(SETTINGS_COOKIE, writeSettings(next));
  }

  return [settings, choose] as const;
}
