import { useCallback, useEffect, useRef, useState, type RefObject } from "react";

import { collectInput, isScrollInput } from "./early-input.ts";
import type { PositionSync } from "./position-sync.ts";
import type { PositionTracker } from "./position-tracker.ts";
import { isInProgress, type ReadingPosition } from "./position.ts";
import type { PositionView, ReadingData } from "./reading-data.ts";
import type * as tracking from "./tracking.ts";

type Tracking = typeof tracking;

/**
 * Scrolls to the user's position, and saves it from then on, in this browser and in their account. Mount it anew for
 * every version of every story.
 *
 * The scripts that do so are loaded at once for a story in progress, else by the first input.
 *
 * @param text the element around the text
 */
export function usePositionTracking(
  story: ReadingData,
  text: RefObject<HTMLElement>,
  uid: string | undefined,
) {
  const [initial] = useState(story);
  const [percent, setPercent] = useState(initial.position?.percent ?? 0);
  const [saved, setSaved] = useState(initial.position);
  const [returnPosition, setReturnPosition] = useState<PositionView | null>(null);
  const tracker = useRef<PositionTracker>();
  const sync = useRef<PositionSync>();
  // A position saved now would replace one in the account that the user has not seen.
  const syncUid = story.isPositionUnavailable ? undefined : uid;
  const latest = useRef({ saved, syncUid });
  useEffect(() => {
    latest.current = { saved, syncUid };
  });

  useEffect(() => {
    const root = text.current;
    if (!root) return undefined;
    const startY = scrollY;
    const input = collectInput(start);
    const stopping = new AbortController();
    let isStarted = false;

    function start() {
      if (isStarted) return;
      isStarted = true;
      import("./tracking.ts").then(track, () => {
        // The network is down.
        isStarted = false;
        addEventListener("online", start, { once: true, signal: stopping.signal });
      });
    }

    function track({ createPositionSync, createPositionTracker, saveOnDevice }: Tracking) {
      if (stopping.signal.aborted || !root) return;
      input.stop();
      const created = createPositionTracker({
        root,
        story: initial,
        earlyInput: input.events,
        onMove: setPercent,
        onLookup: () => {
          const own = latest.current.saved;
          if (isInProgress(own)) setReturnPosition((before) => before ?? own);
        },
        onPause: (position) => {
          saveOnDevice(position);
          setSaved(toPositionView(position));
          const { syncUid: user } = latest.current;
          if (user !== undefined) (sync.current ??= createPositionSync(user)).save(position);
        },
        onLeave: () => sync.current?.flush(),
      });
      tracker.current = created;
      const isAtStart = !location.hash && !input.events.some(isScrollInput);
      if (isAtStart && isInProgress(initial.position)) created.goTo(initial.position);
      else if (scrollY !== startY) created.catchUp();
    }

    if (location.hash || isInProgress(initial.position)) start();
    return () => {
      stopping.abort();
      input.stop();
      tracker.current?.stop();
      tracker.current = undefined;
    };
  }, [initial, text]);

  // After the tracker's effect: its cleanup saves the last position, which the cleanup of this one sends.
  useEffect(
    () => () => {
      sync.current?.flush();
      sync.current = undefined;
    },
    [syncUid],
  );

  return {
    percent,
    /** The user's position as this browser has it. */
    saved,
    otherPosition: initial.otherPosition,
    /** Where the user was before they looked something up. */
    returnPosition,
    /** Call before a link leads to a paragraph where the user continues reading. */
    continueAt: (paragraph: string) => {
      tracker.current?.lookup.allow(paragraph);
      setReturnPosition(null);
    },
    dismissReturn: () => setReturnPosition(null),
    /** Call when the address has led to a passage. */
    onPassage: useCallback((hash: string) => tracker.current?.lookup.follow(hash), []),
  };
}

function toPositionView({ paragraph, offset, percent, time }: ReadingPosition): PositionView {
  return { paragraph, offset, percent, time };
}
