import type { NavigateFunction } from "@remix-run/react";

import { isInKeyConsumer } from "#app/reading/key-consumer.ts";
import { getTopOfView } from "#app/reading/positions/text-map.ts";

/** In pixels: a heading this close to the top of the view is the current one. */
const TOLERANCE = 4;

export interface ShortcutContext {
  text: HTMLElement | null;
  /** The bar with the panels. */
  bar: HTMLElement | null;
  /** Whether a panel is beside the text, and not over it. */
  isRail: (details: HTMLDetailsElement) => boolean;
  hasSingleKeys: boolean;
  /** Whether the caret or the selection has moved since the key was pressed. */
  hasMovedCaret: () => boolean;
  /** Called before a shortcut leads to another part of the story. */
  onPart: (id: string) => void;
  navigate: NavigateFunction;
}

/** Handles a shortcut of the reading page. Those for scrolling are the browser's. */
export function handleShortcut(event: KeyboardEvent, context: ShortcutContext): void {
  const { key, target } = event;
  if (key === "Escape") return closePanel(target, context);
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.isComposing || isInKeyConsumer(target) || !context.hasSingleKeys) return;
  if (key === "l") listen(context.bar);
  else if (key === "t") toggle(find(context.bar, "[data-type]"));
  else if (key === "?") toggleHelp(context.bar);
  // Shift with an arrow key changes the selection. In a wide block of code, which can have the focus, the key scrolls it.
  else if (!event.shiftKey && !(target instanceof HTMLPreElement)) {
    // With caret browsing the browser moves the caret, after this event.
    requestAnimationFrame(() => {
      if (!context.hasMovedCaret()) goToPart(key === "ArrowRight" ? 1 : -1, context);
    });
  }
}

/** Leads to the next or previous heading, as the links to chapters do. The story's first and last parts lead nowhere. */
function goToPart(direction: 1 | -1, { text, onPart, navigate }: ShortcutContext): void {
  const headings = [...(text?.querySelectorAll("h2[id], h3[id]") ?? [])];
  const top = getTopOfView();
  const part =
    direction > 0
      ? headings.find((heading) => heading.getBoundingClientRect().top > top + TOLERANCE)
      : headings.findLast((heading) => heading.getBoundingClientRect().top < top - TOLERANCE);
  if (!part) return;
  onPart(part.id);
  navigate({ hash: part.id }, { replace: true, preventScrollReset: true });
}

/** Opens the player, or presses its button Play or Pause. */
function listen(bar: HTMLElement | null): void {
  const button =
    bar?.querySelector<HTMLElement>("[data-play]") ??
    bar?.querySelector<HTMLElement>("[data-listen]:not([hidden]) > button");
  button?.click();
}

/** Closes the panel around the focus, otherwise any open one, unless the focused element uses Escape itself. */
function closePanel(target: EventTarget | null, { bar, isRail }: ShortcutContext): void {
  const open = [...(bar?.querySelectorAll<HTMLDetailsElement>(":scope > details[open]") ?? [])];
  const around = open.find((details) => target instanceof Node && details.contains(target));
  const over = open.find((details) => !isRail(details));
  const details = around ?? (isInKeyConsumer(target) ? undefined : over);
  if (details) toggle(details);
}

/** Opens or closes details, and focuses them. */
function toggle(details: HTMLDetailsElement | null): void {
  if (!details) return;
  details.open = !details.open;
  details.querySelector("summary")?.focus({ preventScroll: true });
}

/** Opens or closes the list of shortcuts, which is part of the type panel. */
function toggleHelp(bar: HTMLElement | null): void {
  const typePanel = find(bar, "[data-type]");
  const help = find(bar, "[data-help]");
  if (!typePanel) return;
  if (!help) {
    // The panel loads when it opens, with the list open.
    typePanel.dataset.wantsHelp = "";
    return toggle(typePanel);
  }
  help.open = !(typePanel.open && help.open);
  typePanel.open = help.open;
  const focused = help.open ? help : typePanel;
  focused.querySelector("summary")?.focus({ preventScroll: true });
  // The list may be out of view, at the end of the panel.
  help.parentElement?.scrollTo({ top: help.offsetTop });
}

function find(bar: HTMLElement | null, selector: string): HTMLDetailsElement | null {
  return bar?.querySelector<HTMLDetailsElement>(`details${selector}`) ?? null;
}
