import { useEffect, useRef, useState } from "react";

import { isBefore, type Message } from "#app/chat/message.ts";
import { readQuote } from "#app/chat/quotes/quote.ts";
import type { FeedState } from "#app/chat/use-feed.ts";
import { formatTime } from "#app/site/locale/format-time.ts";
import type { Locale } from "#app/site/locale/locale.ts";
import { VisuallyHidden } from "#app/ui/visually-hidden.tsx";

/** More messages at once, as after a lost connection, are only counted. */
const MAX_READ_OUT = 3;

/**
 * Screen readers have announced a message by then. If it stayed, users who move through the page would find it twice.
 */
const REMOVE_AFTER_MS = 10_000;

export interface ArrivalAnnouncerProps {
  feed: Pick<FeedState, "messages" | "status">;
  /** Whether a message is about a later part of a story than the user has read. */
  isAboutLaterPart: (text: string) => boolean;
  /** The people whose messages are not announced. */
  hiddenUids: ReadonlySet<string>;
  locale: Locale;
}

/**
 * Announces each new message once: "name, text, time". The feed itself is not a live region: screen readers
 * would announce all of it when it is rendered again, and earlier messages that are added above.
 */
export function ArrivalAnnouncer({
  feed,
  isAboutLaterPart,
  hiddenUids,
  locale,
}: ArrivalAnnouncerProps) {
  const { messages, status } = feed;
  const [findArrivals] = useState(createArrivalFinder);
  const [lines, setLines] = useState<{ id: number; text: string }[]>([]);
  const lastId = useRef(0);

  useEffect(() => {
    const arrivals = findArrivals(messages, status).filter(({ uid }) => !hiddenUids.has(uid));
    if (arrivals.length === 0) return;
    const added = describeArrivals(arrivals, locale, isAboutLaterPart).map((text) => {
      lastId.current += 1;
      return { id: lastId.current, text };
    });
    setLines((shown) => [...shown, ...added]);
  }, [findArrivals, messages, status, isAboutLaterPart, hiddenUids, locale]);

  useEffect(() => {
    const lastLine = lines.at(-1);
    if (!lastLine) return undefined;
    const timer = setTimeout(
      () => setLines((shown) => shown.filter(({ id }) => id > lastLine.id)),
      REMOVE_AFTER_MS,
    );
    return () => clearTimeout(timer);
  }, [lines]);

  return (
    <VisuallyHidden aria-live="polite" aria-relevant="additions" data-arrivals>
      {lines.map(({ id, text }) => (
        <span key={id}>{text} </span>
      ))}
    </VisuallyHidden>
  );
}

/**
 * Creates a function to call after each change of the feed. It returns the messages that have arrived since its last
 * call.
 */
export function createArrivalFinder() {
  let newest: Message | undefined;
  let previousStatus: FeedState["status"] = "server";

  return (messages: readonly Message[], status: FeedState["status"]): Message[] => {
    const stored = messages.filter(({ createdAt }) => createdAt !== null);
    // Messages that the first live list adds to those of the page were sent before the room was open.
    const isHistory = status === "server" || previousStatus === "server";
    const before = newest;
    const lastMessage = stored.at(-1);
    // `newest` never moves back when the newest message is deleted.
    if (lastMessage && (!before || isBefore(before, lastMessage))) newest = lastMessage;
    previousStatus = status;
    return isHistory ? [] : stored.filter((message) => !before || isBefore(before, message));
  };
}

/** Returns what screen readers say about messages that have arrived. */
export function describeArrivals(
  arrivals: readonly Message[],
  locale: Locale,
  isAboutLaterPart: ArrivalAnnouncerProps["isAboutLaterPart"],
): string[] {
  if (arrivals.length > MAX_READ_OUT) return [`${arrivals.length} new messages`];
  return arrivals.map(({ displayName, text, createdAt }) => {
    const time = createdAt === null ? "" : formatTime(createdAt, locale);
    const words = isAboutLaterPart(text) ? ["wrote about a story"] : describeText(text);
    return [displayName, ...words, time].filter(Boolean).join(", ");
  });
}

function describeText(text: string): string[] {
  const quote = readQuote(text);
  return quote ? ["quotes a story", quote.comment] : [text];
}
