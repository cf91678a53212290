import { formatCursor } from "#app/firebase/cursor.ts";
import type { Message } from "./message.ts";

/** The only chat room. */
export const ROOM_ID = "general";

/** The path of the room's messages, below the database's root. */
export const MESSAGES_PATH = `rooms/${ROOM_ID}/messages`;

/** The path of the records of edited messages, below the database's root. */
export const EDITS_PATH = `rooms/${ROOM_ID}/edits`;

/** The path of the topics of the room's messages, below the database's root. */
export const TOPICS_PATH = `rooms/${ROOM_ID}/topics`;

/** The path of the page that has the room beside the editor. */
export const CREATE_PATH = "/create";

/** The parameter of a page's URL with the cursor of an earlier page of messages. */
export const BEFORE_PARAM = "before";

/** The path of the page that shows messages as they arrive, without scripts. */
export const LIVE_PATH = `/rooms/${ROOM_ID}/live`;

/**
 * The parameters of the live page: the cursor of the message before its first one, the number of the page, and the path of
 * the page around it.
 */
export const AFTER_PARAM = "after";
export const PART_PARAM = "part";
export const AROUND_PARAM = "around";

/** The parameter that makes the address of a retry differ from the address of the page. */
const RETRY_PARAM = "retry";

/** The parameter with a story's id, for addresses that are not the story's own. */
export const STORY_PARAM = "story";

/** The parameter of a story's URL with the paragraph whose messages the room shows. */
export const PASSAGE_PARAM = "passage";

/** The parameter of a story's URL with the messages that the room shows, and its values: those about the story, or all. */
export const TALK_PARAM = "talk";
export const TALK_STORY = "story";
export const TALK_EVERYONE = "everyone";

/** How the id of a message's element begins. */
export const MESSAGE_ID_PREFIX = "m-";

/**
 * Returns the address of a message: among the messages about its story, or else among all messages.
 *
 * @param story the id of the story that it is about
 * @param sentAt for the page that ends with it, in milliseconds since the Unix epoch; without a time, for the newest page
 */
export function toMessageInRoomPath(
  id: string,
  { story, sentAt }: { story?: string | undefined; sentAt?: number | undefined },
): string {
  const params = new URLSearchParams({
    ...(story !== undefined && { [TALK_PARAM]: TALK_STORY }),
    // The page before the next possible message ends with this one.
    ...(sentAt !== undefined && {
      [BEFORE_PARAM]: formatCursor({ id, time: addMicrosecond(sentAt) }),
    }),
  });
  const path = story === undefined ? "/home" : `/read/${story}`;
  return `${path}${params.size > 0 ? `?${params}` : ""}#${MESSAGE_ID_PREFIX}${id}`;
}

/** Returns the next time that Firestore can store, without more decimals than it has. */
function addMicrosecond(time: number): number {
  return (Math.round(time * 1000) + 1) / 1000;
}

/**
 * Returns the address of an earlier page of messages.
 *
 * @param path the path and query of a page with the chat panel
 */
export function toEarlierPath(path: string, before: string): string {
  const { pathname, searchParams } = new URL(path, "http://localhost");
  searchParams.delete(PASSAGE_PARAM);
  searchParams.set(BEFORE_PARAM, before);
  return `${pathname}?${searchParams}#earlier`;
}

/** Returns the address of the newest message on a page with the chat panel. */
export function toNewestPath(path: string): string {
  return `${withoutPage(path)}#newest`;
}

/** Returns the address of a view of the room on the page of a story: what is said about it, or by everyone. */
export function toTalkPath(path: string, view: string, hash = "room"): string {
  const { pathname, searchParams } = new URL(withoutPage(path), "http://localhost");
  searchParams.set(TALK_PARAM, view);
  return `${pathname}?${searchParams}#${hash}`;
}

/**
 * Returns the address of a passage, whose messages the room then shows.
 *
 * @param path as in `Quote`
 * @param hash for another place on the page. @default the paragraph
 * @param from the path of the page. The way back from the passage leads to the messages that were shown there
 */
export function toPassagePath(path: string, hash?: string, from = ""): string {
  const [story = "", paragraph = ""] = path.split("#");
  const talk = isForEveryone(from) ? `&${TALK_PARAM}=${TALK_EVERYONE}` : "";
  return `${story}?${PASSAGE_PARAM}=${paragraph}${talk}#${hash ?? paragraph}`;
}

/** Whether the user has chosen everyone's messages on the page of a story. */
export function isForEveryone(path: string): boolean {
  return new URL(path, "http://localhost").searchParams.get(TALK_PARAM) === TALK_EVERYONE;
}

/** Returns the address of a message that was sent from a page. The messages about a passage stay in view. */
export function toSentPath(path: string): string {
  return `${withoutPage(path, [BEFORE_PARAM])}#newest`;
}

/** Returns the address of the room on a page with the chat panel. On /create the room is a tab. */
export function toRoomPath(path: string): string {
  const { pathname, searchParams } = new URL(withoutPage(path), "http://localhost");
  if (pathname !== CREATE_PATH) return `${withoutPage(path)}#room`;
  const draft = searchParams.get("draft");
  const story = searchParams.has("new") ? "new&" : "";
  return `${pathname}?${draft ? `draft=${encodeURIComponent(draft)}&` : story}panel=room#room`;
}

/**
 * Returns the address that loads a page with the chat panel again. It differs from the address of the page: a link to the
 * same address and a hash would only scroll.
 */
export function toRetryPath(path: string): string {
  const url = new URL(path, "http://localhost");
  if (url.searchParams.has(RETRY_PARAM)) url.searchParams.delete(RETRY_PARAM);
  else url.searchParams.set(RETRY_PARAM, "1");
  return `${url.pathname + url.search}#room`;
}

function withoutPage(path: string, params = [BEFORE_PARAM, PASSAGE_PARAM]): string {
  const url = new URL(path, "http://localhost");
  if (!params.some((param) => url.searchParams.has(param))) return url.pathname + url.search;
  for (const param of params) url.searchParams.delete(param);
  return url.pathname + url.search;
}

export interface LiveAddress {
  /** The message after which it begins; without one it begins with the newest 50. */
  after?: Pick<Message, "id" | "createdAt"> | null | undefined;
  /** The number of the page in a series; without one the first page is loaded once it is visible. */
  part?: number;
  /** The path and query of the page around it. */
  around?: string;
}

/** Returns the address of the page that shows messages as they arrive, without scripts. */
export function toLivePath({ after, part, around }: LiveAddress): string {
  const params = new URLSearchParams();
  if (after && after.createdAt !== null) {
    params.set(AFTER_PARAM, formatCursor({ id: after.id, time: after.createdAt }));
  }
  if (part !== undefined) params.set(PART_PARAM, String(part));
  if (around !== undefined) params.set(AROUND_PARAM, around);
  return params.size > 0 ? `${LIVE_PATH}?${params}` : LIVE_PATH;
}
