import { useCallback, useEffect, useRef, useState, type RefObject } from "react";

import type { Chapter, PositionView, ReadingData } from "#app/reading/reading-data.ts";
import { getPercent, isInProgress, type ReadingPosition } from "#app/stories/positions/position.ts";
import type * as Tracking from "./position-tracker.client.ts";
import type { PositionSync, PositionTracker } from "./position-tracker.client.ts";
import { collectInput, isScrollInput } from "./scroll-events.ts";
import type { TextPosition } from "./text-map.ts";

/** How much of a story the user has read. */
export interface Progress {
  /** Of the whole story, from 0 to 100. */
  percent: number;
  /** The number of the current chapter, counted from 0; -1 before the first one. */
  chapter: number;
  /** Of the current chapter, from 0 to 100. */
  chapterPercent: number;
}

/**
 * Scrolls to the user's position, then saves it as it changes, in this browser and in the user's account. Use it in a
 * component whose `key` changes with the story.
 *
 * The code is loaded at once for a story in progress or an address with a hash, otherwise on the first input.
 *
 * @param text the element around the text
 */
export function usePositionTracking(
  story: ReadingData,
  text: RefObject<HTMLElement>,
  uid: string | undefined,
) {
  const [initial, setInitial] = useState(story);
  if (initial.version !== story.version) setInitial(story);
  const [progress, setProgress] = useState(() =>
    getProgress(initial.chapters, initial.index, initial.position?.percent ?? 0),
  );
  const [saved, setSaved] = useState(initial.position);
  const [returnPosition, setReturnPosition] = useState<PositionView | null>(null);
  const tracker = useRef<PositionTracker>();
  const sync = useRef<PositionSync>();
  // Saving would replace a position in the account that this page has not loaded.
  const syncUid = story.isPositionUnavailable ? undefined : uid;
  const latest = useRef({ saved, uid, syncUid });
  useEffect(() => {
    latest.current = { saved, uid, syncUid };
  });

  useEffect(() => {
    const root = text.current;
    if (!root) return undefined;
    const startY = scrollY;
    // A new version of the text has replaced a tracked one, so the page is already where the user is.
    const isUpdate = tracker.current !== undefined;
    const input = collectInput(start);
    const controller = new AbortController();
    let isStarted = false;

    function start() {
      if (isStarted) return;
      isStarted = true;
      import("./position-tracker.client.ts").then(track, () => {
        // The network is down, so try again later.
        isStarted = false;
        addEventListener("online", start, { once: true, signal: controller.signal });
      });
    }

    function track(tracking: typeof Tracking) {
      const { createPositionSync, createPositionTracker, findOnDevice, saveOnDevice } = tracking;
      if (controller.signal.aborted || !root) return;
      input.stop();
      const created = createPositionTracker({
        root,
        story: initial,
        earlyInput: input.events,
        onMove: (percent, index) => {
          const next = getProgress(initial.chapters, index, percent);
          setProgress((before) => (isSame(before, next) ? before : next));
        },
        onLookup: () => {
          const own = latest.current.saved;
          if (isInProgress(own)) setReturnPosition((before) => before ?? own);
        },
        onPause: (position) => {
          saveOnDevice(position, latest.current.uid);
          setSaved(toPositionView(position));
          const { syncUid: user } = latest.current;
          if (user !== undefined) (sync.current ??= createPositionSync(user)).save(position);
        },
        onLeave: () => sync.current?.flush(),
      });
      // The user may have been looking something up in the version before.
      if (tracker.current?.lookup.isActive) created.lookup.start(null);
      tracker.current = created;
      const position = getLater(initial.position, findOnDevice(initial.id, latest.current.uid));
      const isElsewhere = created.isAtPassage() || location.hash === "#end";
      const isAtStart = !isElsewhere && !input.events.some(isScrollInput);
      if (isUpdate) created.catchUp();
      else if (isAtStart && isInProgress(position)) created.goTo(position);
      else if (scrollY !== startY) created.catchUp();
    }

    // A page from the cache, which all visitors share, lacks the position that this browser has in a cookie.
    const mayBeOnDevice = initial.position === null && document.cookie.includes(initial.id);
    if (isUpdate || location.hash || mayBeOnDevice || isInProgress(initial.position)) start();
    return () => {
      controller.abort();
      input.stop();
      tracker.current?.stop();
    };
  }, [initial, text]);

  // Must come after the tracker's effect, whose cleanup saves the last position. The cleanup of this effect sends it.
  useEffect(
    () => () => {
      sync.current?.flush();
      sync.current = undefined;
    },
    [syncUid],
  );

  return {
    progress,
    /** The latest saved position. */
    saved,
    otherPosition: initial.otherPosition,
    /** Where the user was before they looked something up. */
    returnPosition,
    /** Call it before the browser follows a link at which the user continues reading. */
    continueAt: (paragraph: string) => {
      tracker.current?.lookup.setOwnParagraph(paragraph);
      setReturnPosition(null);
    },
    dismissReturn: () => setReturnPosition(null),
    /** Call it when the address has changed, also to another with the same hash. */
    onHash: useCallback((hash: string) => tracker.current?.lookup.onHashChange(hash), []),
    /** Call it with where a voice is reading the text, and with `null` when it stops. */
    onVoice: useCallback(
      (position: TextPosition | null) => tracker.current?.followVoice(position),
      [],
    ),
  };
}

/**
 * Returns the progress at a position.
 *
 * @param index the length of the text before it, in UTF-16 units
 */
export function getProgress(
  chapters: readonly Chapter[],
  index: number,
  percent: number,
): Progress {
  const chapter = chapters.findLastIndex(({ start }) => start <= index);
  const { start = 0, end = 0 } = chapters[chapter] ?? {};
  return { percent, chapter, chapterPercent: getPercent(index - start, end - start) };
}

/** Returns the device's position if the page does not know it yet: it is shared by all visitors, or was kept for offline. */
function getLater<Position extends { time: number }>(
  page: PositionView | null,
  device: Position | null,
): PositionView | Position | null {
  return page && (device === null || page.time >= device.time) ? page : device;
}

function isSame(a: Progress, b: Progress): boolean {
  return (
    a.percent === b.percent && a.chapter === b.chapter && a.chapterPercent === b.chapterPercent
  );
}

function toPositionView({ paragraph, offset, percent, time }: ReadingPosition): PositionView {
  return { paragraph, offset, percent, time };
}
