import { formatTime } from "#app/site/locale/format-time.ts";
import type { Locale } from "#app/site/locale/locale.ts";
import { isBefore, type Message } from "./message.ts";
import { readQuote } from "./quotes/quote.ts";
import type { Feed } from "./use-feed.ts";

/** More messages at once, as after a lost connection, are only counted. */
const MAX_READ_OUT = 3;

/**
 * Creates a function that returns, at each change of the feed, the messages that have arrived since the change before.
 */
export function createArrivalFinder() {
  let newest: Message | undefined;
  let previousStatus: Feed["status"] = "server";

  return (messages: readonly Message[], status: Feed["status"]): Message[] => {
    const stored = messages.filter(({ createdAt }) => createdAt !== null);
    // Messages that the first live list adds to those of the page were sent before the room was open.
    const isHistory = status === "server" || previousStatus === "server";
    const before = newest;
    const last = stored.at(-1);
    // `newest` never moves back when the newest message is deleted.
    if (last && (!before || isBefore(before, last))) newest = last;
    previousStatus = status;
    return isHistory ? [] : stored.filter((message) => !before || isBefore(before, message));
  };
}

/** Returns what screen readers say about messages that have arrived. */
export function describeArrivals(arrivals: readonly Message[], locale: Locale): string[] {
  if (arrivals.length > MAX_READ_OUT) return [`${arrivals.length} new messages`];
  return arrivals.map(({ displayName, text, createdAt }) => {
    const quote = readQuote(text);
    // The quoted words may be from beyond the user's own position in the story.
    const words = quote ? ["quotes a story", quote.comment] : [text];
    const time = createdAt === null ? "" : formatTime(createdAt, locale);
    return [displayName, ...words, time].filter(Boolean).join(", ");
  });
}
