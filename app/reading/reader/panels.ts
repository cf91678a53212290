import { flushSync } from "react-dom";

import { readSettings, SETTING_NAMES, type ReadingSettings } from "#app/reading/settings.ts";

// One module, so that the browser loads all panels with one dynamic import.
export { TogetherSwitch } from "#app/reading/together/together-switch.tsx";
export { ContentsPanel } from "./contents-panel.tsx";
export { MorePanel } from "./more-panel.tsx";
export { TypePanel } from "./type-panel.tsx";

/**
 * Replaces the server's HTML of the panels with components. Keeps what the user has changed in it, and the focus.
 *
 * @param replace renders the components, with changed settings if there are any
 */
export function replacePanels(
  bar: HTMLElement | null,
  settings: ReadingSettings,
  replace: (changed: ReadingSettings | undefined) => void,
): void {
  const form = bar?.querySelector<HTMLFormElement>("[data-type] form");
  const typed = form ? readSettings(new FormData(form)) : settings;
  const isChanged = SETTING_NAMES.some((name) => typed[name] !== settings[name]);
  const focused = document.activeElement;
  const panel = focused?.closest("details");
  const isHelpOpen = findHelp(bar)?.open ?? Boolean(bar?.querySelector("[data-wants-help]"));

  flushSync(() => replace(isChanged ? typed : undefined));

  const help = findHelp(bar);
  if (help) help.open = isHelpOpen;
  if (!bar || !focused || focused.isConnected || !panel) return;
  const same = [...bar.querySelectorAll<HTMLElement>(focused.tagName)].find(
    (element) => getControlKey(element) === getControlKey(focused),
  );
  (same ?? panel.querySelector("summary"))?.focus({ preventScroll: true });
}

function findHelp(bar: HTMLElement | null): HTMLDetailsElement | null | undefined {
  return bar?.querySelector<HTMLDetailsElement>("[data-help]");
}

/** Returns a text that identifies a control among those of the panels. */
function getControlKey(element: Element): string {
  const names = ["name", "value", "href", "aria-label"].map((name) => element.getAttribute(name));
  return JSON.stringify([...names, element.textContent]);
}
