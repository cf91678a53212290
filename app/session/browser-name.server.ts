import Bowser from "bowser";

/** Returns a readable name for a `User-Agent`, such as "Firefox on Windows". */
export function describeBrowser(userAgent: string): string {
  if (userAgent === "") return UNKNOWN;
  const { browser, os, platform } = Bowser.parse(userAgent);
  const machine =
    platform.model === "iPhone" || platform.model === "iPad" ? platform.model : os.name;
  if (!browser.name) return machine ? `Browser on ${machine}` : UNKNOWN;
  return machine ? `${browser.name} on ${machine}` : browser.name;
}

const UNKNOWN = "Unknown browser";
