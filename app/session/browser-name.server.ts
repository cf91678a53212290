import Bowser from "bowser";

/** Says in plain words what kind of browser calls itself so, such as "Firefox on Windows". */
export function describeBrowser(userAgent: string): string {
  if (userAgent === "") return UNKNOWN;
  const { browser, os, platform } = Bowser.parse(userAgent);
  const machine =
    platform.model === "iPhone" || platform.model === "iPad" ? platform.model : os.name;
  if (!browser.name) return machine ? `Browser on ${machine}` : UNKNOWN;
  return machine ? `${browser.name} on ${machine}` : browser.name;
}

const UNKNOWN = "Unknown browser";
