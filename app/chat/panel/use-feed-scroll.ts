import { useCallback, useRef, useState } from "react";

import type { RoomSubject } from "#app/chat/quotes/topic.ts";
import { useBrowserLayoutEffect } from "#app/ui/hydration.ts";

/** The distance from the end, in CSS pixels, within which the feed counts as at its end. */
const END_SLACK = 16;

/** How many messages in view serve as anchors. One is not enough, because messages may be deleted. */
const ANCHOR_COUNT = 3;

/** A message and its distance from the top of the feed. */
interface Anchor {
  element: Element;
  top: number;
}

/**
 * Keeps the feed at its end while the user is there. Otherwise keeps the messages in view in place when others are
 * added. Without scripts, the layout only does the first. Another view opens at its end, and a passage at its top.
 *
 * @param subject what the messages are about
 */
export function useFeedScroll(subject: RoomSubject | null) {
  const scroller = useRef<HTMLDivElement>(null);
  const anchors = useRef<Anchor[]>([]);
  const isFollowing = useRef(true);
  /** Whether the feed is scrolling to its end, which may move meanwhile. */
  const isReturning = useRef(false);
  const shownView = useRef<string>();
  /** The `scrollTop` of the last update. */
  const lastTop = useRef(0);
  const [isAtEnd, setIsAtEnd] = useState(true);

  const update = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    const isEnd = element.scrollHeight - element.scrollTop - element.clientHeight <= END_SLACK;
    if (isEnd) isReturning.current = false;
    isFollowing.current = isEnd || isReturning.current;
    anchors.current = findAnchors(element);
    lastTop.current = element.scrollTop;
    setIsAtEnd(isEnd);
  }, []);

  const restorePosition = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    // The user has scrolled up just now. Its event comes later.
    if (element.scrollTop < lastTop.current) update();
    if (isReturning.current) scrollToEndOf(element, "smooth");
    else if (isFollowing.current) scrollToEndOf(element, "instant");
    else {
      const anchor = anchors.current.find((one) => one.element.isConnected);
      const moved = anchor ? getTop(anchor.element, element) - anchor.top : 0;
      if (moved !== 0) element.scrollTop += moved;
    }
    update();
  }, [update]);

  useBrowserLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    // In the reversed layout for browsers without scripts, `scrollTop` is 0 at the end, and negative above it.
    const distanceFromEnd = -element.scrollTop;
    element.dataset.ordered = "";
    element.scrollTop = element.scrollHeight - element.clientHeight - distanceFromEnd;
    update();

    const stopReturning = () => (isReturning.current = false);
    const inputs = ["wheel", "touchstart", "pointerdown", "keydown"] as const;
    for (const input of inputs) element.addEventListener(input, stopReturning, { passive: true });
    const observer = new ResizeObserver(restorePosition);
    observer.observe(element);
    if (element.firstElementChild) observer.observe(element.firstElementChild);
    return () => {
      observer.disconnect();
      for (const input of inputs) element.removeEventListener(input, stopReturning);
    };
  }, [restorePosition, update]);

  const view = subject?.quote;
  const isPassage = Boolean(subject?.paragraph);
  useBrowserLayoutEffect(() => {
    const element = scroller.current;
    if (!element || shownView.current === view) return;
    shownView.current = view;
    isReturning.current = false;
    element.scrollTop = isPassage ? 0 : element.scrollHeight;
    update();
  }, [view, isPassage, update]);

  // After every change of the feed, before it is painted.
  useBrowserLayoutEffect(restorePosition);

  const scrollToEnd = useCallback(() => {
    if (!scroller.current) return;
    isReturning.current = true;
    isFollowing.current = true;
    scrollToEndOf(scroller.current, "smooth");
  }, []);

  return { scroller, isAtEnd, onScroll: update, scrollToEnd };
}

function scrollToEndOf(element: Element, behavior: ScrollBehavior) {
  const isMotionReduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
  element.scrollTo({
    top: element.scrollHeight,
    behavior: isMotionReduced ? "instant" : behavior,
  });
}

/** Finds the first messages in view, by bisection: the feed may have thousands. */
function findAnchors(scroller: Element): Anchor[] {
  const messages = [...scroller.querySelectorAll("article")];
  let [start, end] = [0, messages.length];
  while (start < end) {
    const middle = Math.floor((start + end) / 2);
    const message = messages[middle];
    if (message && getTop(message, scroller) + message.clientHeight > 0) end = middle;
    else start = middle + 1;
  }
  return messages
    .slice(start, start + ANCHOR_COUNT)
    .map((element) => ({ element, top: getTop(element, scroller) }));
}

function getTop(element: Element, scroller: Element): number {
  return element.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
}
