import { data, redirect, type LoaderFunctionArgs } from "@remix-run/cloudflare";

import { getTopics, type StoryTopic } from "#app/chat/quotes/topics.server.ts";
import { isStory } from "#app/chat/quotes/quote.ts";
import {
  getPositionsPath,
  WHOLE_STORY,
  type ReadingPosition,
} from "#app/stories/positions/position.ts";
import { PASSAGE_PARAM } from "#app/chat/room-address.ts";
import { getEnv } from "#app/env.server.ts";
import type { Fields } from "#app/firebase/firestore-types.ts";
import { asUser } from "#app/firebase/firestore.server.ts";
import { requireRead } from "#app/firebase/firestore-error.server.ts";
import { getMessagesChangedAt } from "#app/http/page-record.server.ts";
import { joinHeaders } from "#app/http/headers.ts";
import { catchUnavailable, UnavailableError } from "#app/http/unavailable-error.server.ts";
import { getWaitUntil } from "#app/http/wait-until.server.ts";
import { getUser } from "#app/session/user.server.ts";
import type { AuthUser } from "#app/session/user.ts";
import { toStoryPath } from "#app/stories/book.ts";
import { getSharesPath, type Share } from "#app/stories/counts/counts-schema.ts";
import { readShare } from "#app/stories/counts/counts.server.ts";
import { createHiding, type FindHiding } from "#app/stories/library/hiding.server.ts";
import {
  deviceHidden,
  getLibrary,
  loadHidden,
  mergeHidden,
  mergeSaved,
  readFollowing,
  readHiddenItems,
  readSaved,
  deviceSaved,
} from "#app/stories/library/library.server.ts";
import {
  getFollowingPath,
  getHiddenItemsPath,
  getSavedPath,
  type FollowedWriter,
  type HiddenItem,
  type SavedStory,
} from "#app/stories/library/library.ts";
import type { RenderedText } from "#app/stories/markdown.server.ts";
import {
  getDevicePositions,
  getPositions,
  readPositionFields,
  removeDevicePosition,
} from "#app/stories/positions/positions.server.ts";
import { getCachedReaders } from "#app/stories/readers/readers.server.ts";
import { getRenderedText } from "#app/stories/rendered-text.server.ts";
import {
  findStory,
  findStoryWith,
  getAdjacent,
  getLocalAdjacent,
  isPublishedId,
  type Direction,
  type StoryWithOthers,
} from "#app/stories/stories.server.ts";
import type { Story } from "#app/stories/story.ts";
import { findNextStory, listByWriter, renderStoryEnd } from "./end/story-end.server.tsx";
import { findMarks, getLastReachedIn, insertMarks } from "./marks.server.ts";
import { setPageHtml } from "./page-html.server.ts";
import { findMatch, mergePositions, updateFinished } from "./positions/position-matching.server.ts";
import type { AdjacentStory, Chapter, PositionView, ReadingData } from "./reading-data.ts";
import { getReadingSettings } from "./settings.server.ts";

/** Short, because a page without the user's position is better than a slow one. */
const READ_TIMEOUT_MS = 2000;

/** The approximate length of a text's HTML in the first view of a large window. */
const FIRST_VIEW_LENGTH = 3000;

/**
 * Returns the story at an address, with the user's position; `null` if no such story was ever published, and "withdrawn" if
 * its writer has unpublished it.
 *
 * @param talk the topics of the messages about the story
 * @throws {UnavailableError} when the story cannot be read
 */
export async function loadReading(
  args: LoaderFunctionArgs,
  talk: Promise<StoryTopic[]>,
): Promise<ReadingData | "withdrawn" | null> {
  const { request, context, params } = args;
  const id = params.id ?? "";
  const { user } = await getUser({ request, context });
  const settings = getReadingSettings(request);
  const hasMarks = settings.quotes === "on";
  const storyAndPosition = await findReading({ context }, id, user);
  const { story, position: account, share, saved, following, hidden } = storyAndPosition;
  if (!story) return storyAndPosition.isWithdrawn ? "withdrawn" : null;

  const text = await getRenderedText(story.markdown, story.language);
  const isPositionUnavailable = account instanceof UnavailableError;
  const [device, stored] = [
    getDevicePositions(request, user).find((position) => position.story === id),
    isPositionUnavailable ? undefined : account,
  ].map((position) => position && updateFinished(text, position, story.newChapterAt));
  const { position, other } = mergePositions(device, stored);
  const topics = hasMarks ? await catchUnavailable(talk) : [];
  const marks = findMarks(text, topics instanceof UnavailableError ? [] : topics);
  const isAuthor = user !== null && user.uid === story.uid;
  const lastReached = isAuthor
    ? text.paragraphs.length - 1
    : getLastReachedIn(text, [device, stored]);
  const isFinished = lastReached >= text.paragraphs.length - 1;
  const shown = marks.filter(({ number }) => number <= lastReached);
  const isNavigation = isClientNavigation(args);
  // In the browser the text stays the same while the room shows another passage.
  const passage = isNavigation ? null : new URL(request.url).searchParams.get(PASSAGE_PARAM);
  const html = insertMarks(text, id, shown, passage);
  const isSaved = mergeSaved(saved, deviceSaved.list(request)).some((other) => other.id === id);
  const findHiding = createHiding(mergeHidden(hidden, deviceHidden.list(request)));
  const isFollowed = following.some(({ uid }) => uid === story.uid);
  const end = renderStoryEnd({
    story,
    isSaved,
    isFollowed: isAuthor || !isPublishedId(id) ? null : isFollowed,
    isThanked: isAuthor || !isPublishedId(id) ? null : share?.thanks === 1,
    uid: user?.uid,
    quotes: hasMarks ? marks.reduce((sum, { count }) => sum + count, 0) : null,
    next: findNextStory(context, story, findHiding),
    readers: getCachedReaders(context),
    byWriter: listByWriter(context, story, findHiding),
    previous: toAdjacentStory(id, "previous", findHiding),
    following: toAdjacentStory(id, "next", findHiding),
  });
  if (!isNavigation) setPageHtml(context, { text: html, end });
  return {
    ...describe(story),
    address: new URL(toStoryPath(id), request.url).href,
    isSaved,
    hiding: findHiding(story) ?? null,
    words: text.words,
    chapters: toChapters(text),
    version: text.version,
    html: isNavigation ? html : null,
    startsWithItalics: html.slice(0, FIRST_VIEW_LENGTH).includes("<em>"),
    settings,
    position: toPositionView(text, position),
    index: findIndex(text, position),
    otherPosition: toPositionView(text, other),
    isPositionUnavailable,
    marks,
    lastReached,
    quoted: {
      title: story.title,
      cover: story.cover,
      lastReached: isFinished ? WHOLE_STORY : lastReached,
    },
    end: isNavigation ? end : null,
  };
}

/** Reads what messages say about the story of a page. Rejects with `UnavailableError`, without an unhandled rejection. */
export function loadTalk({ context, params }: LoaderFunctionArgs): Promise<StoryTopic[]> {
  const { id = "" } = params;
  // Firestore rejects a query for a very long id.
  if (!isStory(id)) return Promise.resolve([]);
  const talk = getTopics(context).listNewest(id, getMessagesChangedAt(context));
  talk.catch(() => undefined);
  return talk;
}

/**
 * Removes a story that does not exist from the user's positions and saved stories, so that Home does not lead there again.
 * Returns the headers that remove it from this browser; it is removed from the account after the response.
 */
export async function forgetStory({
  request,
  context,
  params: { id = "" },
}: LoaderFunctionArgs): Promise<HeadersInit> {
  if (getEnv(context).READER === "placeholder") return {};
  const { user } = await getUser({ request, context });
  // The lists of the library have other ids. If the deletion fails, the next visit tries again.
  if (user && isPublishedId(id)) {
    const removed = Promise.allSettled([
      getPositions(context).remove(user, id),
      getLibrary(context).remove(user, id),
    ]);
    getWaitUntil(context)?.(removed);
  }
  return joinHeaders(removeDevicePosition(request, id, user), deviceSaved.remove(request, { id }));
}

function describe(story: Story) {
  const { id, title, author, uid, tags, description, updatedAt, isOngoing, language } = story;
  const publishedAt = story.publishedAt ?? null;
  return { id, title, author, uid, tags, description, publishedAt, updatedAt, isOngoing, language };
}

/** Returns a story's chapters; none for a single heading, which does not divide the story. */
function toChapters({ chapters, paragraphs, length }: RenderedText): Chapter[] {
  if (chapters.length < 2) return [];
  const starts = chapters.map(({ number }) => paragraphs[number]?.before ?? 0);
  return chapters.map(({ id, title }, at) => ({
    id,
    title,
    start: starts[at] ?? 0,
    end: starts[at + 1] ?? length,
  }));
}

function findIndex({ paragraphs }: RenderedText, position?: ReadingPosition): number {
  const match = position && findMatch(paragraphs, position);
  return match ? match.paragraph.before + match.offset : 0;
}

function toPositionView(
  { paragraphs }: RenderedText,
  position: ReadingPosition | undefined,
): PositionView | null {
  const match = position && findMatch(paragraphs, position);
  if (!match) return null;
  const { percent, time } = position;
  return { paragraph: match.paragraph.id, offset: match.offset, percent, time };
}

/**
 * Returns a link to the adjacent story. If finding it takes a request, the link looks it up when the user follows it.
 */
function toAdjacentStory(
  id: string,
  direction: Direction,
  findHiding: FindHiding,
): AdjacentStory | null {
  const adjacent = getLocalAdjacent(id, direction, findHiding);
  if (adjacent.status === "end") return null;
  if (adjacent.status === "stored") {
    return { path: `${toStoryPath(id)}?go=${direction}`, title: null };
  }
  const { story } = adjacent;
  return { path: toStoryPath(story.id), title: story.title };
}

/**
 * Redirects an address with `?go=` to the adjacent story, or to `/home` if there is none.
 *
 * @throws {Response} the redirect, or an error of status 503
 */
export async function redirectToAdjacent({ request, context, params }: LoaderFunctionArgs) {
  const direction = new URL(request.url).searchParams.get("go");
  if (direction !== "previous" && direction !== "next") return;
  const { user } = await getUser({ request, context });
  const findHiding = createHiding(await loadHidden({ request, context }, user));
  const adjacent = await catchUnavailable(
    getAdjacent({ context }, params.id ?? "", direction, findHiding),
  );
  if (adjacent instanceof UnavailableError) {
    const message = `We can't find the ${direction} story right now. Go back and try again in a moment.`;
    throw data({ message }, { status: 503 });
  }
  if (adjacent.status === "none") return;
  throw redirect(adjacent.status === "end" ? "/home" : toStoryPath(adjacent.id));
}

interface StoryAndPosition extends Pick<StoryWithOthers, "story" | "isWithdrawn"> {
  position: ReadingPosition | UnavailableError | undefined;
  /** The user's share of the story's counts. */
  share: Share | null;
  /** The stories saved in the user's account. */
  saved: SavedStory[];
  following: FollowedWriter[];
  /** What is hidden in the user's account. */
  hidden: HiddenItem[];
}

/** Finds a story, the position in the user's account and their share of its counts. Uses one request. */
async function findReading(
  { context }: Pick<LoaderFunctionArgs, "context">,
  id: string,
  user: AuthUser | null,
): Promise<StoryAndPosition> {
  // Without a token, the user's documents can't be read, but public ones can.
  const reader = user?.idToken ? user : null;
  const position = reader && `${getPositionsPath(reader.uid)}/${id}`;
  const share = reader && isPublishedId(id) ? `${getSharesPath(reader.uid)}/${id}` : null;
  const saved = reader && getSavedPath(reader.uid);
  const following = reader && isPublishedId(id) ? getFollowingPath(reader.uid) : null;
  const hidden = reader && getHiddenItemsPath(reader.uid);
  const paths = [position, share, saved, following, hidden].filter((path) => path !== null);
  const found = await findStoryWithOthers({ context }, id, { user: reader, paths });
  const { story, isWithdrawn, others } = found;
  const getFields = (path: string | null) => others[path === null ? -1 : paths.indexOf(path)];
  return {
    story,
    isWithdrawn,
    position: user && story ? readAccountPosition(id, getFields(position)) : undefined,
    share: readShare(getFields(share)),
    saved: readSaved(getFields(saved)),
    following: readFollowing(getFields(following)),
    hidden: readHiddenItems(getFields(hidden)),
  };
}

/** @param fields `null` if there is no position, `undefined` if it could not be read */
function readAccountPosition(
  id: string,
  fields: Fields | null | undefined,
): StoryAndPosition["position"] {
  if (fields === undefined) return new UnavailableError("Not allowed");
  return fields ? readPositionFields(id, fields) : undefined;
}
/** Returns a story together with other documents. `others` is empty if they cannot be read. */
async function findStoryWithOthers(
  { context }: Pick<LoaderFunctionArgs, "context">,
  id: string,
  { user, paths }: { user: AuthUser | null; paths: string[] },
): Promise<StoryWithOthers> {
  if (isPublishedId(id)) return findStoryWith({ context }, id, { user, paths });
  const story = await findStory({ context }, id);
  if (!story || paths.length === 0) return { story, others: [] };
  const firestore = asUser(getEnv(context), user);
  const result = await catchUnavailable(
    requireRead(firestore.batchGet(paths, { timeoutMs: READ_TIMEOUT_MS })),
  );
  if (result instanceof UnavailableError) return { story, others: [] };
  return { story, others: result.documents.map((document) => document && document.fields) };
}

/** Whether the request is for the loader's data only, during a client-side navigation. */
function isClientNavigation({ context }: LoaderFunctionArgs): boolean {
  const { request } = context.cloudflare;
  return request !== undefined && new URL(request.url).pathname.endsWith(".data");
}
