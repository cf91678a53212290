import { useNavigate } from "@remix-run/react";
import { useEffect, useRef, type RefObject } from "react";

import type { ReadingView } from "#app/reading/reading-data.ts";

interface Keys {
  text: RefObject<HTMLElement>;
  sheet: RefObject<HTMLDetailsElement>;
  help: RefObject<HTMLDetailsElement>;
  view: Pick<ReadingView, "previous" | "next">;
  areSingleKeysOn: boolean;
}

/** Elements that have use for the keys themselves. */
const TAKERS = "input, textarea, select, [contenteditable], [role=log], video, audio";

/** Listens for the keys of the reading page. Scrolling is the browser's own. */
export function useKeys(keys: Keys): void {
  const navigate = useNavigate();
  const latest = useRef({ ...keys, navigate });
  useEffect(() => {
    latest.current = { ...keys, navigate };
  });

  useEffect(() => {
    function press(event: KeyboardEvent) {
      const { sheet, help, areSingleKeysOn } = latest.current;
      if (event.key === "Escape") return closeFor(event.target, [sheet.current, help.current]);
      if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.isComposing || (event.target instanceof Element && event.target.closest(TAKERS)))
        return;
      // With Shift the arrows select words.
      if (event.key === "ArrowRight" && !event.shiftKey) goToPart(1);
      else if (event.key === "ArrowLeft" && !event.shiftKey) goToPart(-1);
      else if (areSingleKeysOn && event.key === "t") toggle(sheet.current);
      else if (areSingleKeysOn && event.key === "?") toggle(help.current);
      else return;
      event.preventDefault();
    }

    function goToPart(direction: 1 | -1) {
      const { text, view, navigate: go } = latest.current;
      const headings = [...(text.current?.querySelectorAll("h2, h3") ?? [])];
      const top = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;
      const part =
        direction > 0
          ? headings.find((heading) => heading.getBoundingClientRect().top > top + 4)
          : headings.findLast((heading) => heading.getBoundingClientRect().top < top - 4);
      const story = direction > 0 ? view.next : view.previous;
      if (part) part.scrollIntoView({ behavior: "instant" });
      else if (story) go(story.path);
    }

    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
}

/**
 * Closes what the focus is in, or else what is open, however it was opened: unless the focus is on something that has use
 * for the key itself. It goes to the button that opens what was closed.
 */
function closeFor(target: EventTarget | null, all: (HTMLDetailsElement | null)[]): void {
  const open = all.filter((details) => details?.open);
  const around = open.find((details) => target instanceof Node && details?.contains(target));
  const isTaken = target instanceof Element && target.closest(TAKERS) !== null;
  const details = around ?? (isTaken ? undefined : open[0]);
  if (!details) return;
  details.querySelector("summary")?.focus({ preventScroll: true });
  toggle(details);
}

function forgetOrigin({ currentTarget }: Event): void {
  if (!(currentTarget instanceof HTMLDetailsElement) || currentTarget.open) return;
  delete currentTarget.dataset.from;
  currentTarget.removeEventListener("toggle", forgetOrigin);
}

/** Opens with the focus on its key; closes, and the reader is where they were. */
function toggle(details: HTMLDetailsElement | null): void {
  if (!details) return;
  if (details.open) {
    details.open = false;
    scrollTo({ top: Number(details.dataset.from ?? scrollY), behavior: "instant" });
    return;
  }
  details.dataset.from = String(scrollY);
  // Opened by a press the next time, it is not where this key was pressed that one comes back to.
  details.addEventListener("toggle", forgetOrigin);
  details.open = true;
  // Beside the text it can be seen from anywhere; above it, the page has to go there.
  const isBeside = matchMedia("(min-width: 1280px)").matches;
  const first = isBeside ? details.querySelector<HTMLElement>("select") : null;
  if (first) first.focus({ preventScroll: true });
  else details.querySelector("summary")?.focus();
}
