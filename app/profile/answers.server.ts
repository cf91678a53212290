import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import * as z from "zod";

import { MAX_COUNTED } from "#app/chat/answers/answer.ts";
import {
  describeAnswer,
  getAnswers,
  isNew,
  type Answer,
} from "#app/chat/answers/answers.server.ts";
import type { Message } from "#app/chat/message.ts";
import { readQuote, readSubject, splitMessage } from "#app/chat/quotes/quote.ts";
import { addTopics } from "#app/chat/quotes/quoted-stories.server.ts";
import {
  findQuotedStory,
  isAboutLaterPart,
  isUnread,
  type QuotedStories,
} from "#app/chat/quotes/quoted-story.ts";
import { BEFORE_PARAM, toMessageInRoomPath } from "#app/chat/room-address.ts";
import { getMessages } from "#app/chat/stored-messages.server.ts";
import { formatCursor, readCursor } from "#app/firebase/cursor.ts";
import { readForm } from "#app/http/form.server.ts";
import { respondWithJson } from "#app/http/headers.ts";
import { logError } from "#app/http/log-error.server.ts";
import { isDocumentRequest } from "#app/http/page-request.server.ts";
import { getMessagesChangedAt } from "#app/http/page-record.server.ts";
import { catchUnavailable, UnavailableError } from "#app/http/unavailable-error.server.ts";
import { getWaitUntil } from "#app/http/wait-until.server.ts";
import { ActionFailure, respondToForm, runAction } from "#app/session/run-action.server.ts";
import { getUser } from "#app/session/user.server.ts";
import type { AuthUser } from "#app/session/user.ts";
import { formatDay, formatTime } from "#app/site/locale/locale.ts";
import { getLocale } from "#app/site/locale/locale.server.ts";
import { toStoryPath } from "#app/stories/book.ts";
import { truncateWords } from "#app/ui/truncate.ts";
import {
  findAnswerFilter,
  toAnswersPath,
  type AnswerFilter,
  type AnswerRow,
  type AnswersView,
} from "./answers-view.ts";

const PAGE_SIZE = 30;

/** How many answers the header's list shows. */
const NEWEST = 4;

/** How much of a message or quote a row shows, in UTF-16 units. */
const MAX_WORDS_LENGTH = 240;

const FILTERS = { reply: "replies", quote: "quotes", chapter: "chapters" } as const;

/**
 * Responds to scripts with the newest answers to the user, for the header; with `null` if they can't be loaded, and to
 * visitors.
 */
export async function loadNewestAnswers(args: LoaderFunctionArgs): Promise<Response> {
  if (isDocumentRequest(args.request)) return redirectToAnswers();
  const { user, headers } = await getUser(args);
  const answers = user?.idToken ? await catchUnavailable(loadAnswers(args, user, NEWEST)) : null;
  return respondWithJson(answers instanceof UnavailableError ? null : answers, { headers });
}

/**
 * Loads the answers to the user. Answers whose messages no longer exist are left out, and deleted with the surplus ones.
 *
 * @throws {UnavailableError}
 */
export async function loadAnswers(
  { request, context }: LoaderFunctionArgs,
  user: AuthUser,
  pageSize = PAGE_SIZE,
): Promise<AnswersView> {
  const { searchParams } = new URL(request.url);
  const filter = findAnswerFilter(searchParams.get("kind"));
  const before = readCursor(searchParams.get(BEFORE_PARAM));
  const service = getAnswers(context);
  const { answers: listed, record, surplus } = await service.list(user);
  const isOnPage = (answer: Answer) =>
    (filter === "all" || FILTERS[answer.kind] === filter) && (!before || answer.at < before.time);
  const expected = listed.filter(isOnPage).slice(0, pageSize);
  // The header gets the page's number, on whichever page they are.
  const unread = listed.filter((answer) => isNew(answer, record)).slice(0, MAX_COUNTED + 1);
  const [{ found, gone }, newestPage] = await Promise.all([
    findMessages(service, user, listed, [...expected, ...unread]),
    listIds(expected).length > 0
      ? catchUnavailable(getMessages(context).listNewest(getMessagesChangedAt(context)))
      : null,
  ]);
  const answers = listed.filter(({ key }) => !gone.has(key));
  const rest = answers.filter(isOnPage);
  const page = rest.slice(0, pageSize);
  const { messages, stories } = await addTopics(
    { request, context },
    page.flatMap(({ key }) => found.get(key) ?? []),
  );
  const byId = new Map(messages.map((message) => [message.id, message]));
  const stale = [...gone, ...surplus];
  if (stale.length > 0) {
    const removed = service
      .remove(user, stale)
      .catch((error: unknown) => logError("Answers were not deleted.", error));
    getWaitUntil(context)?.(removed);
  }
  const oldest =
    newestPage instanceof UnavailableError ? null : (newestPage?.messages[0]?.createdAt ?? null);
  const locale = getLocale(request, context);
  const now = Date.now();

  function toRow(answer: Answer): AnswerRow[] {
    const message = byId.get(answer.key);
    const words =
      answer.kind === "chapter"
        ? toChapterRow(answer)
        : message && toMessageRow(message, stories, oldest);
    if (!words) return [];
    return [
      {
        ...words,
        key: answer.key,
        isNew: isNew(answer, record),
        action: describeAnswer(answer),
        day: formatDay(answer.at, locale, now),
        isToday: formatDay(answer.at, locale, now) === formatDay(now, locale, now),
        time: formatTime(answer.at, locale),
        dateTime: new Date(answer.at).toISOString(),
      },
    ];
  }

  const count = (kind: AnswerFilter) =>
    answers.filter((answer) => FILTERS[answer.kind] === kind).length;
  const last = page.at(-1);
  return {
    filter,
    rows: page.flatMap(toRow),
    counts: {
      all: answers.length,
      replies: count("replies"),
      quotes: count("quotes"),
      chapters: count("chapters"),
    },
    newCount: answers.filter((answer) => isNew(answer, record)).length,
    until: Math.floor(listed[0]?.at ?? 0),
    before: last && rest.length > pageSize ? formatCursor({ id: last.key, time: last.at }) : null,
    isEarlier: before !== null,
  };
}

/**
 * Finds the messages of some of the listed answers. If one of them is gone, finds all, because the answers after it take its
 * place.
 *
 * @throws {UnavailableError}
 */
async function findMessages(
  service: ReturnType<typeof getAnswers>,
  user: AuthUser,
  listed: readonly Answer[],
  some: readonly Answer[],
): Promise<{ found: ReadonlyMap<string, Message>; gone: ReadonlySet<string> }> {
  const ids = listIds(some);
  const found = await service.findMessages(user, ids);
  if (found.size === ids.length) return { found, gone: new Set() };
  const allIds = listIds(listed);
  const others = await service.findMessages(
    user,
    allIds.filter((id) => !ids.includes(id)),
  );
  const all = new Map([...found, ...others]);
  return { found: all, gone: new Set(allIds.filter((id) => !all.has(id))) };
}

/** Returns the ids of the messages; chapters have none. */
function listIds(answers: readonly Answer[]): string[] {
  return [...new Set(answers.filter(({ kind }) => kind !== "chapter").map(({ key }) => key))];
}

type RowWords = Omit<
  AnswerRow,
  "key" | "isNew" | "action" | "day" | "isToday" | "time" | "dateTime"
>;

function toChapterRow({ story }: Extract<Answer, { kind: "chapter" }>): RowWords {
  const { id, author, title, cover } = story;
  return {
    path: toStoryPath(id),
    name: author,
    picture: { story: id, cover },
    title,
    quote: null,
    words: null,
    isLater: false,
  };
}

/** @param oldest the time of the oldest message on the room's newest page; `null` if unknown */
function toMessageRow(message: Message, stories: QuotedStories, oldest: number | null): RowWords {
  const { id, text, displayName, photoURL, createdAt } = message;
  const subject = readSubject(text);
  const story = subject && findQuotedStory(stories, subject.story);
  const isLater = isAboutLaterPart(message, (other, number) =>
    isUnread(findQuotedStory(stories, other), number, -1),
  );
  const isOlder = createdAt !== null && oldest !== null && createdAt < oldest;
  const words = splitMessage(message)[1].trim();
  const quote = readQuote(text)?.words;
  return {
    path: toMessageInRoomPath(id, {
      story: story ? subject.story : undefined,
      sentAt: isOlder ? createdAt : undefined,
    }),
    name: displayName,
    picture: { photoURL },
    title: story?.title ?? null,
    quote: isLater || quote === undefined ? null : truncateWords(quote, MAX_WORDS_LENGTH),
    words: isLater || !words ? null : truncateWords(words, MAX_WORDS_LENGTH),
    isLater,
  };
}

const readSchema = z.object({ until: z.coerce.number().int().nonnegative() });

/** Marks all answers up to a time as read. */
export async function readAnswers(args: ActionFunctionArgs): Promise<Response> {
  const form = await readForm(args.request, ["uid", "until"]);
  const run = await runAction(args, { uid: form.get("uid") }, async (user) => {
    const { data } = readSchema.safeParse(Object.fromEntries(form));
    if (!data) throw new ActionFailure({ reason: "invalid" });
    const until = Math.min(data.until, Date.now());
    await getAnswers(args.context).markRead(user, { until });
  });
  return respondToForm(args.request, run, toAnswersPath("all"));
}

/** For a browser that opens the address of the form. */
export const redirectToAnswers = () => redirect(toAnswersPath("all"));
