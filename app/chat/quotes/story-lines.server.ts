import type { LoaderFunctionArgs } from "@remix-run/cloudflare";

import { getHiddenUids } from "#app/chat/hidden.server.ts";
import type { Message, RoomData } from "#app/chat/message.ts";
import { getChangedAt, getMessagesChangedAt } from "#app/http/page-record.server.ts";
import { catchUnavailable, UnavailableError } from "#app/http/unavailable-error.server.ts";
import { readQuote, readSubject, splitMessage } from "./quote.ts";
import { isAboutLaterPart, isUnread } from "./quoted-story.ts";
import { getTopics, type StoryTopic } from "./topics.server.ts";

/** How many messages about a story are read. The newest that may be shown is. */
const MAX_TRIED = 2;

/** What somebody has said about a story. */
export interface StoryLine extends Pick<Message, "displayName" | "photoURL" | "createdAt"> {
  /** Without the lines that say what it is about. */
  words: string;
  /** The number of the paragraph that it is about, counted from 0. */
  number: number;
}

interface LineArgs {
  stories: readonly string[];
  /** Returns the number of the last paragraph of a story that the user has reached. */
  getLastReached: (story: string) => number;
  /** The messages that the page has read anyway. */
  room: Pick<RoomData, "feed" | "isEarlier">;
  /** Whether the page has requests left. Otherwise only what this isolate has read is used. */
  mayAsk: boolean;
}

interface StoryLines {
  lines: Record<string, StoryLine>;
  /** Whether everything was read, so that the other stories certainly have no line. */
  isComplete: boolean;
}

/**
 * Returns what was last said about each story, of the newest 100 messages about any of them: nothing about a later part than
 * the user has read, and nothing by hidden people. Makes up to two requests.
 */
export async function loadStoryLines(
  { request, context }: Pick<LoaderFunctionArgs, "request" | "context">,
  { stories, getLastReached, room, mayAsk }: LineArgs,
): Promise<StoryLines> {
  if (stories.length === 0) return { lines: {}, isComplete: true };
  const known = room.feed.status === "loaded" ? room.feed.messages : [];
  const topics = getTopics(context);
  const changedAt = mayAsk ? getMessagesChangedAt(context) : getChangedAt();
  const isWhole = isWholeRoom(room);
  const found = isWhole
    ? undefined
    : await catchUnavailable(topics.findNewestOf(stories, { changedAt, mayAsk }));
  const listed = found === undefined || found instanceof UnavailableError ? null : found;

  const isLater = (story: string, number: number | null) =>
    isUnread(undefined, number, getLastReached(story));
  const hidden = await getHiddenUids({ request, context });
  const shown = (listed ?? known.toReversed().flatMap(toKnownTopic)).filter(
    ({ story, number, uid }) => !isLater(story, number) && !hidden.includes(uid),
  );
  const tried = stories.flatMap((id) =>
    shown.filter(({ story }) => story === id).slice(0, MAX_TRIED),
  );
  const unknown = tried.filter(({ id }) => known.every((message) => message.id !== id));
  const read = mayAsk ? await catchUnavailable(topics.readMessages(unknown)) : [];
  const isRead = !(read instanceof UnavailableError);
  const messages = new Map([...known, ...(isRead ? read : [])].map((each) => [each.id, each]));
  return {
    isComplete: isWhole || (listed !== null && isRead && (mayAsk || unknown.length === 0)),
    lines: Object.fromEntries(
      // The newest comes last, so it is the one that stays.
      tried.toReversed().flatMap(({ id, story, number, replyTo }) => {
        const message = messages.get(id);
        const shown = message && { ...message, topic: { number, replyTo } };
        if (!shown || isAboutLaterPart(shown, isLater)) return [];
        return [[story, toStoryLine(shown, number ?? 0)]];
      }),
    ),
  };
}

/** Whether the page has all messages of the room, and what they are about. */
function isWholeRoom({ feed, isEarlier }: LineArgs["room"]): boolean {
  if (feed.status === "unavailable" || feed.before !== null || isEarlier) return false;
  return feed.messages.every(
    ({ text, topic }) => topic !== undefined || readSubject(text) === null,
  );
}

/** Returns what a message of the feed is about. */
function toKnownTopic({ id, uid, text, topic, createdAt }: Message): StoryTopic[] {
  const subject = readSubject(text);
  return subject && topic ? [{ ...topic, ...subject, id, uid, at: createdAt ?? Infinity }] : [];
}

function toStoryLine(message: Message, number: number): StoryLine {
  const { displayName, photoURL, createdAt, text } = message;
  const said = splitMessage(message)[1].trim();
  // A passage that was quoted without a comment.
  const words = said || `“${readQuote(text)?.words ?? "…"}”`;
  return { displayName, photoURL, createdAt, words, number };
}
