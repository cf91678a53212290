import { redirect, type AppLoadContext, type LoaderFunctionArgs } from "@remix-run/cloudflare";

import { getEnv, getFirebaseConfig } from "#app/env.server.ts";
import { readCursor, type Cursor } from "#app/firebase/cursor.ts";
import { createDocumentId } from "#app/firebase/document-id.ts";
import { catchUnavailable } from "#app/http/catch-unavailable.server.ts";
import { isDocumentRequest } from "#app/http/page-request.server.ts";
import { getMessagesChangedAt } from "#app/http/recent-change.server.ts";
import { getPageValues } from "#app/http/page-record.server.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { clearFlash, getFlash } from "#app/site/flash/flash.server.ts";
import { getLocale } from "#app/site/locale/locale.server.ts";
import { toStoryPath } from "#app/stories/book.ts";
import { getRenderedText } from "#app/stories/rendered-text.server.ts";
import { findStory } from "#app/stories/stories.server.ts";
import { getHiddenUids } from "./hidden.server.ts";
import { DONE_FLASHES, findDone } from "./message-intents.ts";
import type { MessagePage, RoomData } from "./message.ts";
import { listMessagesAbout } from "./quotes/messages-about.server.ts";
import { formatQuote, isPassage, type Passage } from "./quotes/quote.ts";
import { findQuotedStories, listQuotedPassages } from "./quotes/quoted-stories.server.ts";
import { BEFORE_PARAM, PASSAGE_PARAM } from "./room-address.ts";
import { getMessages } from "./stored-messages.server.ts";

/**
 * Loads the room for a page that shows the chat panel: the newest messages, or with `?before=` an earlier page, or with
 * `?passage=` the messages about a passage of the page's story.
 */
export async function loadRoom({
  request,
  context,
  params,
}: LoaderFunctionArgs): Promise<RoomData> {
  const { searchParams } = new URL(request.url);
  const passage = findPassage(searchParams, params.id);
  const before = passage ? null : readCursor(searchParams.get(BEFORE_PARAM));
  const { messageId = createDocumentId(), now = Date.now() } = getPageValues(context);
  const [page, quote] = await Promise.all([
    catchUnavailable(
      passage ? listMessagesAbout({ request, context }, passage) : listMessages(context, before),
    ),
    passage && loadPassageQuote({ context }, passage),
  ]);
  const isUnavailable = page instanceof UnavailableError;
  const passages = isUnavailable ? [] : listQuotedPassages(page.messages);
  return {
    feed: isUnavailable ? { status: "unavailable" } : { status: "loaded", ...page },
    hiddenUids: await getHiddenUids({ request, context }),
    done: findDone(getFlash(request)),
    isEarlier: before !== null,
    passage: passage && quote !== null ? { ...passage, quote } : null,
    stories: await findQuotedStories({ request, context }, passages),
    nextId: messageId,
    locale: getLocale(request, context),
    now,
    firebase: getFirebaseConfig(getEnv(context)),
  };
}

/** Returns the headers after which no later page says what was done; none if this page did not say it either. */
export function clearDone(request: Request, done: RoomData["done"]): Record<string, string> {
  return clearFlash(request, done && DONE_FLASHES[done]);
}

/** @throws {UnavailableError} */
function listMessages(context: AppLoadContext, before: Cursor | null): Promise<MessagePage> {
  const messages = getMessages(context);
  return before === null
    ? messages.listNewest(getMessagesChangedAt(context))
    : messages.list(before);
}

/** Loads the room for scripts on a page without it. Redirects documents to a page with the room. */
export async function loadRoomForScripts(args: LoaderFunctionArgs): Promise<Response> {
  if (isDocumentRequest(args.request)) return redirect("/home#room");
  return Response.json(await loadRoom(args), { headers: { "Cache-Control": "no-store" } });
}

/** @param id the id of the page's story; a page without a story names one with `?story=` */
function findPassage(searchParams: URLSearchParams, id: string | undefined): Passage | null {
  const passage = {
    story: searchParams.get("story") ?? id ?? "",
    paragraph: searchParams.get(PASSAGE_PARAM) ?? "",
  };
  return isPassage(passage) ? passage : null;
}

/** Loads an earlier page of messages for scripts. */
export async function loadMessages({ request, context }: LoaderFunctionArgs) {
  const before = readCursor(new URL(request.url).searchParams.get(BEFORE_PARAM));
  // Only scripts have a use for JSON.
  if (!before || isDocumentRequest(request)) return redirect("/home");
  const page = await catchUnavailable(getMessages(context).list(before));
  const isUnavailable = page instanceof UnavailableError;
  const body = isUnavailable ? { message: "We can't reach the room right now." } : page;
  const headers = { "Cache-Control": "no-store" };
  return Response.json(body, { status: isUnavailable ? 503 : 200, headers });
}

/** Returns the quote that messages about a passage begin with: the first words of its paragraph. */
async function loadPassageQuote(
  args: { context: AppLoadContext },
  { story, paragraph }: Passage,
): Promise<string> {
  const words = await findFirstWords(args, { story, paragraph });
  return formatQuote({ words, path: `${toStoryPath(story)}#${paragraph}` });
}

/** Not the words of an earlier message, which anyone may have made up. */
async function findFirstWords(
  args: { context: AppLoadContext },
  passage: Passage,
): Promise<string> {
  const story = await catchUnavailable(findStory(args, passage.story));
  if (!story || story instanceof UnavailableError) return "…";
  const { paragraphs } = await getRenderedText(story.markdown);
  const paragraph = paragraphs.find(({ id }) => id === passage.paragraph);
  if (!paragraph) return "…";
  const { start, length } = paragraph;
  // Ends at a whole word, if the language has spaces.
  return length > start.length ? `${start.replace(/\s\S*$/, "")}…` : start;
}
