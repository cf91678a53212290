import { useLocation } from "@remix-run/react";
import { useEffect, useId, useRef, useState, type ReactNode } from "react";

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
import { useHydrated } from "#app/ui/hydration.ts";
import { VisuallyHidden } from "#app/ui/visually-hidden.tsx";
import styles from "./feed.module.css";
import { showMessage } from "./reply-card.tsx";
import { useFeedKeyboard } from "./use-feed-keyboard.ts";
import { useFeedScroll } from "./use-feed-scroll.ts";
import { useFeedSwipe } from "./use-feed-swipe.ts";

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
