import { useNavigate } from "@remix-run/react";
import { useEffect, useRef, type RefObject } from "react";

import { isInKeyConsumer } from "#app/reading/key-consumer.ts";
import type { ReadingData } from "#app/reading/reading-data.ts";
import { getTopOfView } from "#app/reading/top-of-view.ts";

/** In pixels: a heading this close to the top of the view is the current one. */
const TOLERANCE = 4;

interface ShortcutOptions {
  text: RefObject<HTMLElement>;
  settings: RefObject<HTMLDetailsElement>;
  help: RefObject<HTMLDetailsElement>;
  story: Pick<ReadingData, "previous" | "next">;
  hasSingleKeys: boolean;
}

/** Handles the shortcuts of the reading page, except those for scrolling, which are the browser's. */
export function useShortcuts(options: ShortcutOptions): void {
  const navigate = useNavigate();
  const latest = useRef({ ...options, navigate });
  useEffect(() => {
    latest.current = { ...options, navigate };
  });

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      const { settings, help, hasSingleKeys } = latest.current;
      const { key, target } = event;
      if (key === "Escape") return closeDetails(target, [settings.current, help.current]);
      if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.isComposing || isInKeyConsumer(target)) return;
      // Shift with an arrow key changes the selection.
      if (key === "ArrowRight" && !event.shiftKey) goToPart(1);
      else if (key === "ArrowLeft" && !event.shiftKey) goToPart(-1);
      else if (hasSingleKeys && key === "t") toggle(settings.current);
      else if (hasSingleKeys && key === "?") toggle(help.current);
      else return;
      event.preventDefault();
    }

    function goToPart(direction: 1 | -1) {
      const { text, story, navigate: go } = latest.current;
      const headings = [...(text.current?.querySelectorAll("h2, h3") ?? [])];
      const top = getTopOfView();
      const part =
        direction > 0
          ? headings.find((heading) => heading.getBoundingClientRect().top > top + TOLERANCE)
          : headings.findLast((heading) => heading.getBoundingClientRect().top < top - TOLERANCE);
      const adjacent = direction > 0 ? story.next : story.previous;
      if (part) part.scrollIntoView({ behavior: "instant" });
      else if (adjacent) go(adjacent.path);
    }

    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}

/** Closes the details around the focus, otherwise the first open ones, unless the focused element uses Escape itself. */
function closeDetails(target: EventTarget | null, all: (HTMLDetailsElement | null)[]): void {
  const open = all.filter((details) => details?.open);
  const around = open.find((details) => target instanceof Node && details?.contains(target));
  const details = around ?? (isInKeyConsumer(target) ? undefined : open[0]);
  if (!details) return;
  details.querySelector("summary")?.focus({ preventScroll: true });
  toggle(details);
}

/** Opens details and focuses them, or closes them and scrolls back to where the user was. */
function toggle(details: HTMLDetailsElement | null): void {
  if (!details) return;
  if (details.open) {
    details.open = false;
    scrollTo({ top: Number(details.dataset.from ?? scrollY), behavior: "instant" });
    return;
  }
  details.dataset.from = String(scrollY);
  // Details that the user opens with the mouse do not scroll when they close.
  details.addEventListener("toggle", clearOrigin);
  details.open = true;
  // In wide windows the settings are next to the text. Otherwise focusing the summary scrolls to it.
  const isBeside = matchMedia("(min-width: 1280px)").matches;
  const first = isBeside ? details.querySelector<HTMLElement>("select") : null;
  if (first) first.focus({ preventScroll: true });
  else details.querySelector("summary")?.focus();
}

function clearOrigin({ currentTarget }: Event): void {
  if (!(currentTarget instanceof HTMLDetailsElement) || currentTarget.open) return;
  delete currentTarget.dataset.from;
  currentTarget.removeEventListener("toggle", clearOrigin);
}
