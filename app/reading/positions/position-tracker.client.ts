import { postForm } from "#app/http/fetch-json.ts";
import { isInKeyConsumer } from "#app/reading/key-consumer.ts";
import type { PositionView, ReadingData } from "#app/reading/reading-data.ts";
import { getStart } from "#app/stories/paragraph.ts";
import {
  FINISHED_PERCENT,
  getMinutesLeft,
  getPercent,
  MAX_POSITION_TITLE_LENGTH,
  type ReadingPosition,
} from "#app/stories/positions/position.ts";
import { truncate } from "#app/ui/truncate.ts";
import { createLookup } from "./lookup.ts";
import { isScrollInput, notifyScriptScroll, FOCUS_EVENTS, SCROLL_INPUTS } from "./scroll-events.ts";
import { createTextMap, getTopOfView, type TextPosition } from "./text-map.ts";

// From here, so that the browser loads all of it with one dynamic import.
export { findOnDevice, saveOnDevice } from "#app/stories/positions/position-cookie.ts";

/** In pixels: a line that moves by less than this has not moved. */
const TOLERANCE = 2;

/**
 * How long to wait after the last scroll event, until sections that have come into view are laid out. `scrollend` would
 * not do: Safari before 26.2 lacks it, and Firefox does not always fire it after the scroll bar was dragged.
 */
const PAUSE_MS = 250;

export interface PositionTrackerOptions {
  /** The element around the text. */
  root: HTMLElement;
  story: Pick<ReadingData, "id" | "title" | "words" | "position" | "chapters">;
  /** The input events from before this tracker was loaded. */
  earlyInput: readonly Event[];
  /** Called with the new percent and the length of the text before it when the first visible line changes. */
  onMove: (percent: number, index: number) => void;
  /** Called when the user scrolls while looking something up. */
  onLookup: () => void;
  /** Called with the new position when the user pauses or leaves. */
  onPause: (position: ReadingPosition) => void;
  /** Called when the user leaves the page, after `onPause`. */
  onLeave: () => void;
}

export type PositionTracker = ReturnType<typeof createPositionTracker>;

/** Tracks the first visible line of a text, and scrolls back to it when the layout changes. */
export function createPositionTracker(options: PositionTrackerOptions) {
  const { root, story } = options;
  const map = createTextMap(root);
  const chapters = story.chapters.map(({ id, start, end }) => {
    return { start, end, shown: map.getLengthBefore({ number: map.findIndex(id), offset: 0 }) };
  });
  const awayTracker = createAwayTracker(root);
  const lookup = createLookup({
    map,
    getView: () => ({ top: getTopOfView(), height: innerHeight }),
    initialHash: location.hash,
    ownParagraph: story.position?.paragraph,
    page: document,
  });
  /** The line that stays in place when the layout changes. */
  let current: TextPosition | null = null;
  /** Where a voice is reading the text aloud. Then this is the user's position, wherever the page is scrolled. */
  let spoken: TextPosition | null = null;
  /** The distance from the top of the view to the current line, in pixels. */
  let gap = 0;
  let percent = 0;
  /**
   * The scroll position at which the current line was found or restored. While it is the same, only the layout has moved
   * the line. Near the end of a page, the line cannot be scrolled to the top. `NaN` without a line.
   */
  let currentY = NaN;
  let isMoved = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const controller = new AbortController();
  const { signal } = controller;
  addEventListener("scroll", onScroll, { signal, passive: true });
  addEventListener("scroll", schedulePause, { signal, passive: true });
  addEventListener("pagehide", leave, { signal });
  document.addEventListener("visibilitychange", leave, { signal });

  for (const event of options.earlyInput) {
    awayTracker.handle(event);
    if (isScrollInput(event)) lookup.handle(event);
  }

  // Scroll anchoring would hold a different line, and Safari before 26 does not support it.
  root.style.setProperty("overflow-anchor", "none");
  const resizes = new ResizeObserver(restore);
  resizes.observe(root);
  // Elements that appear above the text move it without resizing it.
  resizes.observe(document.body);

  /** Whether the page shows this text. During a navigation, the router scrolls before React removes this page. */
  function isShown(): boolean {
    return map.paragraphs[0]?.isConnected ?? false;
  }

  /**
   * Returns the passage in the address if the page is scrolled to it. The first visible line may be wrong then: sections
   * above the passage that are not laid out yet may overlap it.
   */
  function findPassage(): TextPosition | null {
    const passage = { number: map.findIndex(location.hash.slice(1)), offset: 0 };
    const distance = (map.findTop(passage) ?? Infinity) - getTopOfView();
    const { scrollHeight, clientHeight } = document.documentElement;
    const isPageEnd = scrollY + clientHeight >= scrollHeight - TOLERANCE;
    const maxDistance = isPageEnd ? innerHeight - getTopOfView() : TOLERANCE;
    return distance > -TOLERANCE && distance < maxDistance ? passage : null;
  }

  /** Whether the address leads to a passage of this text. */
  function isAtPassage(): boolean {
    return map.findIndex(location.hash.slice(1)) >= 0;
  }

  /** Returns how far the current line has moved, in pixels. */
  function getShift(): number | undefined {
    const top = current ? map.findTop(current) : undefined;
    return top === undefined ? undefined : top - getTopOfView() - gap;
  }

  function restore() {
    const shift = isShown() ? getShift() : undefined;
    if (shift === undefined) return;
    if (Math.abs(shift) >= 1) scrollBy({ top: shift, behavior: "instant" });
    currentY = scrollY;
    notifyScriptScroll();
    updatePercent();
  }

  function updatePercent() {
    const position = spoken ?? current;
    if (!position || (lookup.isActive && !spoken)) return;
    const isFinished = !spoken && map.isAtEnd();
    const index = isFinished ? map.length : map.getLengthBefore(position);
    percent = isFinished ? FINISHED_PERCENT : getPercent(index, map.length);
    options.onMove(percent, toOriginalIndex(index));
  }

  /** Converts a length of the text in the page, which a browser may have translated, to that of the original. */
  function toOriginalIndex(index: number): number {
    const number = chapters.findLastIndex(({ shown }) => shown <= index);
    const chapter = chapters[number];
    if (!chapter) return Math.min(index, (chapters[0]?.start ?? Infinity) - 1);
    const { start, end, shown } = chapter;
    const length = (chapters[number + 1]?.shown ?? map.length) - shown;
    return start + Math.round(((index - shown) / Math.max(1, length)) * (end - start));
  }

  function onScroll() {
    if (!isShown()) return;
    if (spoken) {
      holdLine(spoken);
      return;
    }
    lookup.onScroll(location.hash);
    if (Math.abs(scrollY - currentY) < TOLERANCE) return;
    if (Math.abs(getShift() ?? Infinity) < TOLERANCE) return;
    lookup.onMove();

    const next = findPassage() ?? (awayTracker.isAway ? null : map.findFirstVisible());
    // Saves the position from before the user went to the room or looked something up.
    if (awayTracker.isAway || lookup.isActive) save();
    current = next;
    currentY = next ? scrollY : NaN;
    if (lookup.isActive) options.onLookup();
    if (!next) return;
    gap = (map.findTop(next) ?? 0) - getTopOfView();
    if (lookup.isActive) return;
    updatePercent();
    isMoved = true;
  }

  /** Keeps the spoken line in place, or the first visible one while the user looks elsewhere. */
  function holdLine(line: TextPosition) {
    const top = map.findTop(line) ?? -1;
    current = top >= 0 && top < innerHeight ? line : map.findFirstVisible();
    gap = (current ? (map.findTop(current) ?? 0) : 0) - getTopOfView();
  }

  function schedulePause() {
    clearTimeout(timer);
    timer = setTimeout(pause, PAUSE_MS);
  }

  function pause() {
    clearTimeout(timer);
    onScroll();
    save();
    dropHash();
  }

  /** Drops a passage from the address once the user has read on, so that a reload does not lead back to it. */
  function dropHash() {
    if (!location.hash.startsWith("#p-") || !current || lookup.isActive) return;
    if (awayTracker.isAway || findPassage()) return;
    lookup.onHashDropped();
    history.replaceState(history.state, "", location.pathname + location.search);
  }

  function save() {
    const isFinished = percent >= FINISHED_PERCENT;
    // The end tells how much a user who has finished has read, if the story grows later.
    const end = { number: map.paragraphs.length - 1, offset: 0 };
    const position = isFinished ? end : (spoken ?? current);
    const paragraph = position && map.paragraphs[position.number];
    if (!position || !paragraph || !isMoved) return;
    isMoved = false;
    options.onPause({
      story: story.id,
      title: truncate(story.title, MAX_POSITION_TITLE_LENGTH),
      paragraph: paragraph.id,
      start: getStart(paragraph.textContent),
      offset: position.offset,
      number: position.number,
      percent,
      minutesLeft: getMinutesLeft(percent, story.words),
      time: Date.now(),
    });
  }

  function leave() {
    pause();
    options.onLeave();
  }

  return {
    lookup,
    isAtPassage,

    /** Call it if the page was scrolled before this tracker was loaded. */
    catchUp(): void {
      onScroll();
      schedulePause();
    },

    /** Scrolls to a position, so that its line is the first visible one. */
    goTo({ paragraph, offset }: Pick<PositionView, "paragraph" | "offset">): void {
      const number = map.findIndex(paragraph);
      if (number < 0) return;
      current = { number, offset };
      gap = 0;
      restore();
    },

    /** Call it with where a voice is reading the text, and with `null` when it stops. */
    followVoice(position: TextPosition | null): void {
      spoken = position;
      if (!position) return;
      holdLine(position);
      isMoved = true;
      updatePercent();
      save();
    },

    stop(): void {
      leave();
      controller.abort();
      resizes.disconnect();
      root.style.removeProperty("overflow-anchor");
      awayTracker.stop();
      lookup.stop();
    },
  };
}

const INTERVAL_MS = 10_000;

export type PositionSync = ReturnType<typeof createPositionSync>;

/**
 * Saves a user's positions in their account, at most every 10 seconds, and always the latest.
 *
 * @param uid sent with each position, so that the server rejects it after another user has signed in
 */
export function createPositionSync(uid: string) {
  let pending: ReadingPosition | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Sends the pending position, if any. Call it before the page is left. */
  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (!pending) return;
    const form = { uid, position: JSON.stringify(pending) };
    pending = undefined;
    timer = setTimeout(flush, INTERVAL_MS);
    // If it fails, this device still has the position.
    void postForm("/reading-positions", form, { keepalive: true });
  }

  return {
    save(position: ReadingPosition): void {
      pending = position;
      timer ??= setTimeout(flush);
    },
    flush,
  };
}

/**
 * Tracks whether the user has left the text for another part of the page, such as the room, by following a link in the
 * header or moving the focus. Scrolling outside the room brings them back.
 *
 * @param text the element around the text
 */
function createAwayTracker(text: HTMLElement) {
  let isAway = false;
  const controller = new AbortController();
  const options = { signal: controller.signal, capture: true, passive: true };
  for (const type of [...FOCUS_EVENTS, ...SCROLL_INPUTS]) {
    document.addEventListener(type, handle, options);
  }

  function handle(event: Event) {
    if (FOCUS_EVENTS.includes(event.type)) onFocus(event);
    else onScrollInput(event);
  }

  function onFocus(event: Event) {
    const { target } = event;
    // The settings and the links to positions are part of the article, so they count as the text.
    const story = text.closest("article") ?? text;
    const isMark = target instanceof Element && target.closest("[data-mark]") !== null;
    if (isMark && event.type === "click") isAway = true;
    else if (target instanceof Node && !target.contains(story)) isAway = !story.contains(target);
  }

  function onScrollInput(event: Event) {
    const { target } = event;
    if (!(target instanceof Element)) return;
    // Pressing the window's scrollbar fires `pointerdown` on the root element.
    const isScroll = event.type !== "pointerdown" || target === document.documentElement;
    const isTab = event instanceof KeyboardEvent && event.key === "Tab";
    if (isScroll && !isTab && !isInKeyConsumer(target)) isAway = false;
  }

  return {
    get isAway() {
      return isAway;
    },
    /** Call it with the input events from before this tracker was loaded. */
    handle,
    stop: () => controller.abort(),
  };
}
