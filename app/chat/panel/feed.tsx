import { useLocation } from "@remix-run/react";
import { useEffect, useId, useRef, useState, useCallback, type ReactNode } from "react";

import { isBefore, type Message } from "#app/chat/message.ts";
import type { RoomSubject } from "#app/chat/quotes/topic.ts";
import {
  toEarlierPath,
  toLivePath,
  toNewestPath,
  MESSAGE_ID_PREFIX,
} from "#app/chat/room-address.ts";
import type { FeedState } from "#app/chat/use-feed.ts";
import { countsAsNew, type Viewer } from "#app/chat/use-first-unread.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { useHydrated, useBrowserLayoutEffect } from "#app/ui/hydration.ts";
import { VisuallyHidden } from "#app/ui/visually-hidden.tsx";
import styles from "./feed.module.css";
import { showMessage } from "./message-cards.tsx";
import { useFeedKeyboard, useFeedSwipe } from "./use-feed-input.ts";

const ARROW_DOWN = "M10 4v12M5 11l5 5 5-5";

export interface FeedProps {
  feed: FeedState;
  viewer: Viewer;
  /** The path of the page. */
  path: string;
  /** Whether the feed is an earlier page instead of the newest messages. */
  isEarlier: boolean;
  /** What the messages are about; `null` for all messages. */
  subject: RoomSubject | null;
  /** The number of messages that the user has sent. The feed scrolls to each. */
  sentCount: number;
  /** Called with the id of the message that the user wants to reply to; absent if they can't. */
  onReply: ((messageId: string) => void) | undefined;
  /** The messages. */
  children: ReactNode;
}

/** The part of the panel that scrolls. New messages do not scroll it while the user reads earlier ones. */
export function Feed({
  feed,
  viewer,
  path,
  isEarlier,
  subject,
  sentCount,
  onReply,
  children,
}: FeedProps) {
  const { scroller, isAtEnd, onScroll, scrollToEnd } = useFeedScroll(subject);
  const { messages, setReadingAbove } = feed;
  const isHydrated = useHydrated();
  const keysId = useId();
  const newCount = useNewCount(messages, viewer, isAtEnd, subject?.quote);
  useFeedKeyboard(scroller, (id) => onReply?.(id));
  useFeedSwipe(scroller, onReply);
  useLinkedMessage(messages, subject?.quote, onScroll);

  useEffect(() => setReadingAbove(!isAtEnd), [isAtEnd, setReadingAbove]);

  useEffect(() => {
    if (sentCount === 0) return;
    scrollToEnd();
    scrollPageTo(document.getElementById("newest"));
  }, [sentCount, scrollToEnd]);

  return (
    <div className={styles.frame}>
      {/* Laid out in reverse at first, so that the newest message is in view without scripts. */}
      <div
        ref={scroller}
        className={styles.feed}
        role="log"
        aria-label="Messages"
        aria-describedby={isHydrated ? keysId : undefined}
        // A list that is rendered again would be announced again. `ArrivalAnnouncer` announces what is new.
        aria-live="off"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboard users scroll it
        tabIndex={0}
        onScroll={onScroll}
      >
        <div className={styles.content} data-passage={subject?.paragraph ? "" : undefined}>
          <EarlierMessages
            feed={feed}
            path={path}
            onEnd={() => scroller.current?.focus({ preventScroll: true })}
          />
          {children}
          {isEarlier ? (
            <div id="earlier" className={styles.back}>
              <ButtonLink variant="quiet" to={toNewestPath(path)} preventScrollReset>
                Show newest messages
              </ButtonLink>
            </div>
          ) : null}
          {isEarlier ? null : <div id="newest" className={styles.newest} />}
        </div>
      </div>
      {isEarlier || subject ? null : <LiveFrame after={messages.at(-1)} />}
      {isHydrated ? (
        <VisuallyHidden id={keysId}>
          Arrow keys move between messages. Enter opens a message's menu
          {onReply ? ", R replies." : "."}
        </VisuallyHidden>
      ) : null}
      {newCount > 0 ? (
        <button
          type="button"
          className={styles.arrivals}
          onClick={() => {
            // The button is about to be removed, and the focus with it.
            scroller.current?.focus({ preventScroll: true });
            scrollToEnd();
          }}
        >
          {newCount} new {newCount === 1 ? "message" : "messages"}
          <Icon path={ARROW_DOWN} />
        </button>
      ) : null}
    </div>
  );
}

/**
 * Counts the messages of others that have arrived since the end of the feed was last in view.
 *
 * @param view what the messages are about. Another view has older messages that the last one did not have
 */
function useNewCount(
  messages: Message[],
  viewer: Viewer,
  isAtEnd: boolean,
  view: string | undefined,
): number {
  const lastMessage = messages.at(-1);
  const [lastRead, setLastRead] = useState({ message: lastMessage, view });
  const isOther = lastRead.view !== view;
  if (isAtEnd || isOther) {
    if (isOther || lastRead.message !== lastMessage) setLastRead({ message: lastMessage, view });
    return 0;
  }
  return countNew(messages, lastRead.message, viewer);
}

export function countNew(
  messages: readonly Message[],
  lastRead: Message | undefined,
  viewer: Viewer,
): number {
  return messages.filter(
    (message) => countsAsNew(message, viewer) && (!lastRead || isBefore(lastRead, message)),
  ).length;
}

function scrollPageTo(element: Element | null) {
  const isMotionReduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
  element?.scrollIntoView({ behavior: isMotionReduced ? "auto" : "smooth", block: "nearest" });
}

/** Without scripts: shows messages as they arrive, below those of the page. */
function LiveFrame({ after }: { after: Message | undefined }) {
  const { pathname, search } = useLocation();
  return (
    <noscript>
      <iframe
        className={styles.live}
        src={toLivePath({ after, around: pathname + search })}
        title="New messages"
        loading="lazy"
      />
    </noscript>
  );
}

interface EarlierMessagesProps {
  feed: FeedState;
  /** The path of the page. */
  path: string;
  /** Called when the focused button disappears. */
  onEnd: () => void;
}

/** Loads 50 earlier messages above the others. Without scripts it is a link to a page with them. */
function EarlierMessages({ feed, path, onEnd }: EarlierMessagesProps) {
  const isHydrated = useHydrated();
  const hasFocus = useRef(false);
  const { before, earlier } = feed;

  useEffect(() => {
    if (before !== null || !hasFocus.current) return;
    hasFocus.current = false;
    onEnd();
  }, [before, onEnd]);

  if (before === null) return null;

  return (
    <div className={styles.earlier}>
      {isHydrated ? (
        <Button
          variant="quiet"
          isPending={earlier === "loading"}
          onPress={() => void feed.loadEarlier()}
          onFocus={() => (hasFocus.current = true)}
          onBlur={() => (hasFocus.current = false)}
        >
          Show earlier messages
        </Button>
      ) : (
        <ButtonLink variant="quiet" to={toEarlierPath(path, before)}>
          Show earlier messages
        </ButtonLink>
      )}
      <output>
        {earlier === "failed" ? "We can't load earlier messages right now. Try again." : null}
      </output>
    </div>
  );
}

/**
 * Shows the message that the hash of the page's URL names, once for each visit and view.
 *
 * @param onScroll called after the feed has scrolled to it
 */
function useLinkedMessage(
  messages: readonly Message[],
  view: string | undefined,
  onScroll: () => void,
) {
  const { hash, key } = useLocation();
  const shownFor = useRef<string>();

  useEffect(() => {
    const prefix = `#${MESSAGE_ID_PREFIX}`;
    const visit = `${key} ${view}`;
    if (!hash.startsWith(prefix) || shownFor.current === visit) return;
    // Following a link is not a request to see what is about a later part.
    if (!showMessage(hash.slice(prefix.length), "instant", false)) return;
    shownFor.current = visit;
    onScroll();
  }, [messages, hash, key, view, onScroll]);
}

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
function useFeedScroll(subject: RoomSubject | null) {
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
