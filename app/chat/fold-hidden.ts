import type { MessageActionsState } from "./message-actions.ts";
import type { Message } from "./message.ts";

/** A message of the feed. */
export interface FeedMessage extends Message {
  /** The ids of the hidden messages that are folded into this one, which is the first of them. */
  foldedIds?: string[];
}

/** Removes deleted messages, and folds consecutive messages of hidden people into their first. */
export function foldHidden(
  messages: Message[],
  {
    deletions,
    hiddenUids,
    revealedIds,
  }: Pick<MessageActionsState, "deletions" | "hiddenUids" | "revealedIds">,
): FeedMessage[] {
  if (deletions.size + hiddenUids.size === 0) return messages;
  const feed: FeedMessage[] = [];
  for (const message of messages) {
    const { id, uid } = message;
    if (deletions.get(id)?.status === "sent") continue;
    if (!hiddenUids.has(uid) || revealedIds.has(id)) {
      feed.push(message);
      continue;
    }
    const last = feed.at(-1);
    if (last?.foldedIds) last.foldedIds.push(id);
    else feed.push({ ...message, foldedIds: [id] });
  }
  return feed;
}
