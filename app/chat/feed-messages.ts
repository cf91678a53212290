import { isBefore, type MessagePage } from "./message.ts";

/**
 * Returns the messages to show once a newer page is loaded. The newest 50 always start with a later message than before;
 * what they no longer contain stays if `isKept`.
 */
export function mergeNewest(shown: MessagePage, newest: MessagePage, isKept: boolean): MessagePage {
  const [first] = newest.messages;
  if (!isKept || !first || newest.before === null) return newest;
  const ids = new Set(newest.messages.map(({ id }) => id));
  // After a long time without connection there may be others in between.
  const isAdjacent = shown.messages.some(({ id }) => ids.has(id));
  if (!isAdjacent) return newest;
  const earlier = shown.messages.filter((message) => isBefore(message, first));
  if (earlier.length === 0) return newest;
  return { messages: [...earlier, ...newest.messages], before: shown.before };
}

/** Returns the messages to show once the page before them is loaded. */
export function mergeEarlier(shown: MessagePage, earlier: MessagePage): MessagePage {
  const [first] = shown.messages;
  const added = first
    ? earlier.messages.filter((message) => isBefore(message, first))
    : earlier.messages;
  return { messages: [...added, ...shown.messages], before: earlier.before };
}
