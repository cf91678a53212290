import { redirect, type AppLoadContext, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import * as z from "zod";

import { createServiceGetter, getEnv, getFirebaseConfig, type Env } from "#app/env.server.ts";
import { readCursor, type Cursor } from "#app/firebase/cursor.ts";
import { readValue } from "#app/firebase/database.server.ts";
import { createDocumentId } from "#app/firebase/document-id.ts";
import { createReadCache } from "#app/http/cache.server.ts";
import { respondWithJson } from "#app/http/headers.ts";
import { getMessagesChangedAt, getPageValues } from "#app/http/page-record.server.ts";
import { isDocumentRequest } from "#app/http/page-request.server.ts";
import { catchUnavailable, UnavailableError } from "#app/http/unavailable-error.server.ts";
import { getUser } from "#app/session/user.server.ts";
import type { AuthUser } from "#app/session/user.ts";
import { clearFlash, getFlash } from "#app/site/flash/flash.server.ts";
import { getLocale } from "#app/site/locale/locale.server.ts";
import { toStoryPath } from "#app/stories/book.ts";
import { getParagraphText, type RenderedText } from "#app/stories/markdown.server.ts";
import { getDevicePositions } from "#app/stories/positions/positions.server.ts";
import { countPeopleInRoom } from "#app/stories/readers/readers.server.ts";
import { getRenderedText } from "#app/stories/rendered-text.server.ts";
import { findStory } from "#app/stories/stories.server.ts";
import { truncateWords } from "#app/ui/truncate.ts";
import { getHiddenUids } from "./hidden.server.ts";
import { findDone, toFlash } from "./message-intents.ts";
import { loadMute } from "./moderation/mute.server.ts";
import type { MessagePage, RoomData } from "./message.ts";
import { formatQuote, formatStoryLine, isPassage, isStory, type Subject } from "./quotes/quote.ts";
import { addTopics } from "./quotes/quoted-stories.server.ts";
import { isUnread } from "./quotes/quoted-story.ts";
import type { RoomSubject } from "./quotes/topic.ts";
import { getTopics, type StoryTopic } from "./quotes/topics.server.ts";
import {
  BEFORE_PARAM,
  PASSAGE_PARAM,
  STORY_PARAM,
  TALK_PARAM,
  TALK_STORY,
} from "./room-address.ts";
import { getMessages } from "./stored-messages.server.ts";
import { getAnswers } from "./answers/answers.server.ts";
import type { RoomSummary } from "./room-summary.ts";
import { getConnectionsPath, STALE_AFTER_MS } from "./presence.ts";

/** How much of a passage is shown above the messages about it, in UTF-16 units. More than fits in its four lines. */
const MAX_PASSAGE_LENGTH = 500;

/**
 * Loads the room for a page that shows the chat panel: the newest messages, or with `?before=` an earlier page. On the page
 * of a story they are about the story, if it has any that the user may read; `?talk=everyone` shows all, `?passage=` those
 * about a passage.
 *
 * @param talk the topics of the page's story
 * @param findReached returns the number of the last paragraph of the story that the user has reached, also elsewhere; -1 if
 *   unknown. The page reads it anyway
 */
export async function loadRoom(
  { request, context, params }: LoaderFunctionArgs,
  talk: Promise<StoryTopic[]> | null = null,
  findReached: () => Promise<number> = async () => -1,
): Promise<RoomData> {
  const { searchParams } = new URL(request.url);
  const story = params.id ?? searchParams.get(STORY_PARAM) ?? "";
  const [topics, hiddenUids] = await Promise.all([
    talk && catchUnavailable(talk),
    getHiddenUids({ request, context }),
  ]);
  const isLost = topics instanceof UnavailableError;
  const readable =
    topics && !isLost
      ? await countReadable({ request, context }, { story, topics, hiddenUids, findReached })
      : null;
  const subject = findSubject(searchParams, story, readable);
  const before = readCursor(searchParams.get(BEFORE_PARAM));
  const { messageId = createDocumentId(), now = Date.now() } = getPageValues(context);
  const [page, about] = await Promise.all([
    // Firestore has just not responded, so the page does not wait for it again.
    isLost ? topics : catchUnavailable(listPage(context, subject, before, topics)),
    subject && loadSubject({ context }, subject),
  ]);
  const isUnavailable = page instanceof UnavailableError;
  const { messages, stories } = await addTopics(
    { request, context },
    isUnavailable ? [] : page.messages,
    // The page reads its own story anyway.
    talk && subject ? subject.story : undefined,
  );
  return {
    feed: isUnavailable
      ? { status: "unavailable" }
      : { status: "loaded", messages, before: page.before },
    hiddenUids,
    mute: await loadMute({ request, context }),
    done: findDone(getFlash(request)),
    isEarlier: before !== null,
    subject: about,
    talk: readable === null ? null : { story, count: readable },
    stories,
    nextId: messageId,
    locale: getLocale(request, context),
    now,
    firebase: getFirebaseConfig(getEnv(context)),
  };
}

/** Returns the headers that clear the flash that this page has shown; none if it has shown none. */
export function clearDone(request: Request, done: RoomData["done"]): Record<string, string> {
  return clearFlash(request, done && toFlash(done));
}

/** @throws {UnavailableError} */
function listPage(
  context: AppLoadContext,
  subject: Subject | null,
  before: Cursor | null,
  topics: readonly StoryTopic[] | null = null,
): Promise<MessagePage> {
  if (subject) return getTopics(context).listAbout(subject, before, topics);
  const messages = getMessages(context);
  return before ? messages.list(before) : messages.listNewest(getMessagesChangedAt(context));
}

/** Loads the room for scripts on a page without it. Redirects documents to a page with the room. */
export async function loadRoomForScripts(args: LoaderFunctionArgs): Promise<Response> {
  if (isDocumentRequest(args.request)) return redirect("/home#room");
  return respondWithJson(await loadRoom(args));
}

function findSubject(
  searchParams: URLSearchParams,
  story: string,
  readable: number | null,
): Subject | null {
  const passage = { story, paragraph: searchParams.get(PASSAGE_PARAM) ?? "" };
  if (isPassage(passage)) return passage;
  const view = searchParams.get(TALK_PARAM) ?? (readable ? TALK_STORY : "");
  return view === TALK_STORY && isStory(story) ? { story, paragraph: null } : null;
}

/** Counts the messages about a story that the user may read. Other visitors do not wait for the story. */
async function countReadable(
  { request, context }: Pick<LoaderFunctionArgs, "request" | "context">,
  {
    story,
    topics,
    hiddenUids,
    findReached,
  }: {
    story: string;
    topics: readonly StoryTopic[];
    hiddenUids: readonly string[];
    findReached: () => Promise<number>;
  },
): Promise<number> {
  const { user } = await getUser({ request, context });
  const hasPosition = getDevicePositions(request, user).some((device) => device.story === story);
  const mayHaveRead = (user !== null || hasPosition) && topics.length > 0;
  const lastReached = mayHaveRead ? await findReached() : -1;
  return topics.filter(
    ({ uid, number }) =>
      uid === user?.uid || (!hiddenUids.includes(uid) && !isUnread(undefined, number, lastReached)),
  ).length;
}

/** Loads an earlier page of messages for scripts. */
export async function loadMessages({ request, context }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url);
  const before = readCursor(searchParams.get(BEFORE_PARAM));
  // Only scripts have a use for JSON.
  if (!before || isDocumentRequest(request)) return redirect("/home");
  const subject = findSubject(searchParams, searchParams.get(STORY_PARAM) ?? "", 1);
  const page = await catchUnavailable(listPage(context, subject, before));
  const isUnavailable = page instanceof UnavailableError;
  const body = isUnavailable
    ? { message: "We can't reach the room right now." }
    : { ...page, ...(await addTopics({ request, context }, page.messages)) };
  return respondWithJson(body, { status: isUnavailable ? 503 : 200 });
}

/** Returns what the page says about its subject, and the lines that messages about it begin with. */
async function loadSubject(
  args: { context: AppLoadContext },
  subject: Subject,
): Promise<RoomSubject> {
  const { story: id, paragraph } = subject;
  if (paragraph === null) return { ...subject, quote: formatStoryLine(id), passage: null };
  const path = `${toStoryPath(id)}#${paragraph}`;
  const story = await catchUnavailable(findStory(args, id));
  const text =
    story && !(story instanceof UnavailableError)
      ? await getRenderedText(story.markdown, story.language)
      : null;
  const paragraphs = text?.paragraphs ?? [];
  const number = paragraphs.findIndex((candidate) => candidate.id === paragraph);
  // The words come from the story, not from a message, whose sender may have made them up.
  const found = paragraphs[number];
  if (!text || !found)
    return { ...subject, quote: formatQuote({ words: "…", path }), passage: null };
  // Ends at a whole word, if the language has spaces.
  const { start, length } = found;
  const words = length > start.length ? `${start.replace(/\s\S*$/, "")}…` : start;
  const quote = formatQuote({ words, path });
  const shown = truncateWords(getParagraphText(text, number), MAX_PASSAGE_LENGTH);
  const passage = { words: shown, number, chapter: describeChapter(text, number) };
  return { ...subject, quote, passage };
}

/** Returns the chapter of a paragraph; `null` in a story that is not divided, and before its first chapter. */
function describeChapter({ chapters }: RenderedText, paragraph: number): string | null {
  const at = chapters.findLastIndex(({ number }) => number <= paragraph);
  const chapter = chapters.length < 2 ? undefined : chapters[at];
  return chapter ? `Chapter ${at + 1} · ${chapter.title}` : null;
}

const TIMEOUT_MS = 2000;

/** The maximum number of people that are counted. */
const MAX_COUNTED = 99;

/** How long the number of people may be reused. Otherwise each page would read their connections. */
const COUNT_MAX_AGE_MS = 10_000;

const PEOPLE = "people";

const getCounts = createServiceGetter(() => createReadCache<number>(() => Date.now()));

const connectionsSchema = z
  .record(z.string(), z.record(z.string(), z.object({ time: z.number() })))
  .nullable();

/**
 * Responds to scripts with what the header shows of the room and of the answers to the user. All reads are limited in
 * size. The rules let only signed-in users see who is here. Visitors get the number of people who want to be counted.
 */
export async function loadRoomSummary({ request, context }: LoaderFunctionArgs): Promise<Response> {
  if (isDocumentRequest(request)) return redirect("/home#room");
  const { user, headers, hasEnded } = await getUser({ request, context });
  const env = getEnv(context);
  const changedAt = getMessagesChangedAt(context);
  const [count, newest, hiddenUids] = await Promise.all([
    // The link also works without a number.
    user?.idToken
      ? getCounts(context)
          .read(PEOPLE, { maxAgeMs: COUNT_MAX_AGE_MS }, () => countPeople(env, user))
          .then(({ value }) => value)
          .catch(() => null)
      : countPeopleInRoom(context),
    catchUnavailable(getMessages(context).findNewest(changedAt)),
    getHiddenUids({ request, context }),
  ]);
  const answers =
    user?.idToken && !(newest instanceof UnavailableError)
      ? await catchUnavailable(
          getAnswers(context).countNew(user, newest?.createdAt ?? 0, changedAt),
        )
      : undefined;
  const known = newest instanceof UnavailableError ? null : newest;
  const summary: RoomSummary = {
    here:
      count === null ? null : { value: Math.min(count, MAX_COUNTED), hasMore: count > MAX_COUNTED },
    newest: known && !hiddenUids.includes(known.uid) ? known : null,
    ...(answers !== undefined && !(answers instanceof UnavailableError) && { answers }),
    ...(hasEnded && { hasEnded }),
  };
  return respondWithJson(summary, { headers });
}

/** @throws {Error} when the database is unavailable, or rejects the request */
async function countPeople(env: Env, user: AuthUser): Promise<number> {
  const options = { limit: MAX_COUNTED + 1, timeoutMs: TIMEOUT_MS };
  const people = connectionsSchema.parse(await readValue(env, user, getConnectionsPath(), options));
  const since = Date.now() - STALE_AFTER_MS;
  return Object.values(people ?? {}).filter((connections) =>
    Object.values(connections).some(({ time }) => time > since),
  ).length;
}
