import { startOf } from "#app/stories/paragraph.ts";
import { createAwayTracker } from "./away-tracker.ts";
import { isScrollInput } from "./early-input.ts";
import { createLookup } from "./lookup.ts";
import {
  FINISHED_PERCENT,
  MAX_POSITION_TITLE_LENGTH,
  minutesLeftAt,
  percentAt,
  type ReadingPosition,
} from "./position.ts";
import type { PositionView, ReadingData } from "./reading-data.ts";
import { createTextMap, type TextPosition } from "./text-map.ts";
import { getTopOfView } from "./top-of-view.ts";

/** A line that has moved by less than this, in pixels, is where it was. */
const TOLERANCE = 2;

/** After the end of a scroll: sections that have come into view are laid out by then. */
const PAUSE_MS = 250;

/** Safari before 26.2 has no `scrollend`. There, each scroll event delays the pause anew. */
const SCROLL_END = "onscrollend" in globalThis ? "scrollend" : "scroll";

export interface PositionTrackerOptions {
  /** The element around the text. */
  root: HTMLElement;
  story: Pick<ReadingData, "id" | "title" | "words" | "position">;
  /** The input from before this tracker was loaded. */
  earlyInput: readonly Event[];
  /** Called with the percent of every line that becomes the first visible one. */
  onMove: (percent: number) => void;
  /** Called when the user is looking something up elsewhere in the text. */
  onLookup: () => void;
  /** Called with the new position when the user pauses or leaves. */
  onPause: (position: ReadingPosition) => void;
  /** Called when the user leaves the page, after `onPause`. */
  onLeave: () => void;
}

export type PositionTracker = ReturnType<typeof createPositionTracker>;

/** Tracks the first visible line of a text, and keeps it there when the text changes its size. */
export function createPositionTracker(options: PositionTrackerOptions) {
  const { root, story } = options;
  const map = createTextMap(root);
  const away = createAwayTracker(root);
  const lookup = createLookup({
    map,
    getView: () => ({ top: getTopOfView(), height: innerHeight, isAtEnd: isAtEnd() }),
    ownParagraph: story.position?.paragraph,
    page: document,
  });
  let current: TextPosition | null = null;
  /** From the top of the view to that of the current line, in pixels. */
  let gap = 0;
  let percent = 0;
  /** Where `restore` has scrolled to: at the end of a page, short of the line. */
  let restoredY: number | null = null;
  let isMoved = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const listening = new AbortController();
  const { signal } = listening;
  addEventListener("scroll", follow, { signal, passive: true });
  addEventListener(SCROLL_END, schedulePause, { signal, passive: true });
  addEventListener("pagehide", leave, { signal });
  document.addEventListener("visibilitychange", leave, { signal });

  for (const event of options.earlyInput) {
    away.handle(event);
    if (isScrollInput(event)) lookup.handle(event);
  }

  // Scroll anchoring holds another line than this tracker, and Safari before 26 has none.
  root.style.setProperty("overflow-anchor", "none");
  const resizes = new ResizeObserver(restore);
  resizes.observe(root);
  // What appears above the text moves it.
  resizes.observe(document.body);

  function isAtEnd(): boolean {
    return root.getBoundingClientRect().bottom <= innerHeight + TOLERANCE;
  }

  /** Returns how far the current line is from where it was, in pixels. */
  function getShift(): number | undefined {
    const top = current ? map.findTop(current) : undefined;
    return top === undefined ? undefined : top - getTopOfView() - gap;
  }

  function restore() {
    // The router scrolls for the next page before React removes this one.
    const shift = root.isConnected ? getShift() : undefined;
    if (shift === undefined) return;
    if (Math.abs(shift) >= 1) scrollBy({ top: shift, behavior: "instant" });
    restoredY = scrollY;
    updatePercent();
  }

  function updatePercent() {
    if (!current || lookup.isActive) return;
    const share = percentAt(map.getLengthBefore(current), map.length);
    percent = isAtEnd() ? FINISHED_PERCENT : share;
    options.onMove(percent);
  }

  function follow() {
    if (!root.isConnected) return;
    lookup.onScroll(location.hash);
    // `restore` scrolls too, and leaves the line where it was.
    if (restoredY !== null && Math.abs(scrollY - restoredY) < TOLERANCE) return;
    if (Math.abs(getShift() ?? Infinity) < TOLERANCE) return;
    restoredY = null;

    const next = away.isAway ? null : map.findFirstVisible();
    // The position stays where it was before the user went to the room, or looked something up.
    if (away.isAway || lookup.isActive) save();
    current = next;
    if (!next) return;
    gap = (map.findTop(next) ?? 0) - getTopOfView();
    if (lookup.isActive) return options.onLookup();
    updatePercent();
    isMoved = true;
  }

  function schedulePause() {
    clearTimeout(timer);
    timer = setTimeout(pause, PAUSE_MS);
  }

  function pause() {
    clearTimeout(timer);
    follow();
    save();
  }

  function save() {
    const paragraph = current && map.paragraphs[current.number];
    if (!current || !paragraph || !isMoved) return;
    isMoved = false;
    options.onPause({
      story: story.id,
      title: story.title.slice(0, MAX_POSITION_TITLE_LENGTH),
      paragraph: paragraph.id,
      start: startOf(paragraph.textContent ?? ""),
      offset: current.offset,
      number: current.number,
      percent,
      minutesLeft: minutesLeftAt(percent, story.words),
      time: Date.now(),
    });
  }

  function leave() {
    pause();
    options.onLeave();
  }

  return {
    lookup,

    /** Call after a scroll from before this tracker was loaded. */
    catchUp(): void {
      follow();
      schedulePause();
    },

    /** Scrolls so that a position's line is the first visible one. */
    goTo({ paragraph, offset }: Pick<PositionView, "paragraph" | "offset">): void {
      const number = map.findIndex(paragraph);
      if (number < 0) return;
      current = { number, offset };
      gap = 0;
      restore();
    },

    stop(): void {
      leave();
      listening.abort();
      resizes.disconnect();
      root.style.removeProperty("overflow-anchor");
      away.stop();
      lookup.stop();
    },
  };
}
