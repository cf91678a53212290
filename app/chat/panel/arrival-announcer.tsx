import { useEffect, useRef, useState } from "react";

import { isBefore, type Message } from "#app/chat/message.ts";
import { splitMessage, isReply, readQuote, readSubject } from "#app/chat/quotes/quote.ts";
import type { FeedState } from "#app/chat/use-feed.ts";
import type { Viewer } from "#app/chat/use-first-unread.ts";
import { formatTime, type Locale } from "#app/site/locale/locale.ts";
import { useStoredSwitch } from "#app/site/use-stored-switch.ts";
import { truncateWords } from "#app/ui/truncate.ts";
import { VisuallyHidden } from "#app/ui/visually-hidden.tsx";

/** Messages that arrive within this time of an announcement are announced together, in one sentence. */
const PAUSE_MS = 5000;

/** How long the announcement of a reply waits for its topic, which says what it answers. */
const TOPIC_MS = 1000;

/** How much of a message is read out, in UTF-16 units. */
const MAX_WORDS_LENGTH = 120;

/**
 * Screen readers have announced a message by then. If it stayed, users who move through the page would find it twice.
 */
const REMOVE_AFTER_MS = 10_000;

export interface ArrivalAnnouncerProps {
  feed: Pick<FeedState, "messages" | "status">;
  /** Whether a message is about a later part of a story than the user has read. */
  isAboutLaterPart: (message: Message) => boolean;
  /** The user, and the people whose messages are not announced. */
  viewer: Viewer;
  /** Messages that arrive while it is off are not announced later. */
  isOn: boolean;
  locale: Locale;
}

/**
 * Announces new messages, at most every few seconds: the first words of one, otherwise their number and the newest. The feed
 * itself is not a live region: screen readers would announce all of it when it is rendered again, and earlier messages
 * that are added above.
 */
export function ArrivalAnnouncer({
  feed,
  isAboutLaterPart,
  viewer,
  isOn,
  locale,
}: ArrivalAnnouncerProps) {
  const { messages, status } = feed;
  const { hiddenUids } = viewer;
  const [findArrivals] = useState(createArrivalFinder);
  const [line, setLine] = useState<{ id: number; text: string } | null>(null);
  const waiting = useRef<Message[]>([]);
  const isPausing = useRef(false);
  const describe = useRef<(arrivals: readonly Message[]) => string>(() => "");

  useEffect(() => {
    describe.current = (arrivals) => {
      const find = (id: string | null | undefined) => messages.find((message) => message.id === id);
      const known = arrivals.map((arrival) => find(arrival.id) ?? arrival);
      const last = known.at(-1);
      const original = find(last?.topic?.replyTo);
      // A later message with this id is another one.
      const isOlder = last !== undefined && original !== undefined && isBefore(original, last);
      const isToUser = isOlder && original.uid === viewer.uid;
      return describeArrivals(known, locale, isAboutLaterPart, isToUser);
    };
  });

  useEffect(() => {
    const arrivals = findArrivals(messages, status).filter(({ uid }) => !hiddenUids.has(uid));
    if (isOn) waiting.current.push(...arrivals);
    else waiting.current = [];
    if (isPausing.current) return;
    if (waiting.current.some(({ text, topic }) => !topic && isReply(text))) {
      isPausing.current = true;
      setTimeout(announce, TOPIC_MS);
    } else announce();

    function announce() {
      isPausing.current = waiting.current.length > 0;
      if (!isPausing.current) return;
      const text = describe.current(waiting.current.splice(0));
      setLine((last) => ({ id: (last?.id ?? 0) + 1, text }));
      setTimeout(announce, PAUSE_MS);
    }
  }, [findArrivals, messages, status, hiddenUids, isOn]);

  useEffect(() => {
    if (!line) return undefined;
    const timer = setTimeout(() => setLine(null), REMOVE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [line]);

  return (
    <VisuallyHidden aria-live="polite" aria-relevant="additions" data-arrivals>
      {line ? <span key={line.id}>{line.text}</span> : null}
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

/** Returns what screen readers say about messages that have arrived: the first words of one, or how many there are. */
export function describeArrivals(
  arrivals: readonly Message[],
  locale: Locale,
  isAboutLaterPart: ArrivalAnnouncerProps["isAboutLaterPart"],
  isReplyToUser = false,
): string {
  const newest = arrivals.at(-1);
  if (!newest) return "";
  const { displayName, createdAt } = newest;
  const sender = isReplyToUser ? `${displayName} replied to you` : displayName;
  const time = createdAt === null || arrivals.length > 1 ? "" : formatTime(createdAt, locale);
  const words = isAboutLaterPart(newest) ? ["wrote about a story"] : describeText(newest);
  const said = [sender, ...words, time].filter(Boolean).join(", ");
  return arrivals.length > 1 ? `${arrivals.length} new messages. ${said}` : said;
}

export function describeText(message: Pick<Message, "text" | "topic">): string[] {
  const words = truncateWords(splitMessage(message)[1].trim(), MAX_WORDS_LENGTH);
  return readQuote(message.text) && !message.topic?.replyTo ? ["quotes a story", words] : [words];
}

/** Lets the header count the user's answers again when a message arrives that may be one: a reply, or a quote. */
export function useAnswerArrivals(
  { messages, status }: Pick<FeedState, "messages" | "status">,
  uid: string | undefined,
) {
  const [findArrivals] = useState(createArrivalFinder);

  useEffect(() => {
    const mayAnswer = findArrivals(messages, status).some(
      (message) =>
        message.uid !== uid &&
        (isReply(message.text) || (readSubject(message.text)?.paragraph ?? null) !== null),
    );
    if (uid === undefined || !mayAnswer) return;
    void import("#app/chat/dock/room-summary.client.ts").then(
      ({ refreshSummary }) => refreshSummary(),
      // A new version was deployed. The next page asks.
      () => undefined,
    );
  }, [findArrivals, messages, status, uid]);
}

const STORY_PATH_PREFIX = "/read/";

/** Whether screen readers announce new messages. */
export interface AnnouncementsSetting {
  isOn: boolean;
  setIsOn: (isOn: boolean) => void;
  /** Whether the setting is the one beside a story, which is separate, because announcements interrupt the reading. */
  isBesideStory: boolean;
}

/** @param path the path of the page that the room is on */
export function useAnnouncementsSetting(path: string): AnnouncementsSetting {
  const isBesideStory = path.startsWith(STORY_PATH_PREFIX);
  const elsewhere = useStoredSwitch("inkglade.announcements", true);
  const besideStory = useStoredSwitch("inkglade.announcements-beside-story");
  const [isOn, setIsOn] = isBesideStory ? besideStory : elsewhere;
  return { isOn: isOn ?? false, setIsOn, isBesideStory };
}
