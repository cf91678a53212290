import { useState } from "react";

import { writeCookie } from "#app/http/browser-cookie.ts";
import { SETTINGS_COOKIE, writeSettings, type ReadingSettings } from "#app/reading/settings.ts";

/** Holds the settings of the text, and remembers them on this device whenever one is changed. */
export function useSettings(initial: ReadingSettings) {
  const [settings, setSettings] = useState(initial);

  function choose(next: ReadingSettings) {
    setSettings(next);
    writeCookie(SETTINGS_COOKIE, writeSettings(next));
  }

  return [settings, choose] as const;
}
