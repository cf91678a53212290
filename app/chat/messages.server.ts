import {
  data,
  redirect,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
} from "@remix-run/cloudflare";
import * as z from "zod";

import { getEnv, getFirebaseConfig } from "#app/env.server.ts";
import { createDocumentId, isDocumentId } from "#app/firebase/document-id.ts";
import { catchUnavailable } from "#app/http/catch-unavailable.server.ts";
import { getFieldNames, readForm, type Form } from "#app/http/form.server.ts";
import { isDocumentRequest } from "#app/http/page-request.server.ts";
import { addPageChange, getPageValues } from "#app/http/request-record.server.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { isVisible } from "#app/http/visible-text.ts";
import { describeWait } from "#app/session/retry-after.server.ts";
import { getSessionToVerify } from "#app/session/user.server.ts";
import { getLocale } from "#app/site/locale/locale.server.ts";
import {
  hasAtMost,
  MAX_TEXT_LENGTH,
  type MessageError,
  type MessageInput,
  type MessageResult,
  type RoomData,
} from "./message.ts";
import { findNumber } from "./quotes/find-number.server.ts";
import { listAbout } from "./quotes/list-about.server.ts";
import { isPassage, type Passage } from "./quotes/quote.ts";
import { findQuotedStories, listPassages } from "./quotes/quoted-stories.server.ts";
import { BEFORE_PARAM, PASSAGE_PARAM, readCursor, toNewestPath } from "./room-address.ts";
import { getMessages } from "./stored-messages.server.ts";

const INCOMPLETE = "The form is incomplete. Reload the page and try again.";

/** The composer's fields. On /create they are part of the story's form, which has an `id`, a `text` and a `uid` too. */
export const messageFormSchema = z.object({
  messageId: z
    .string(INCOMPLETE)
    .regex(/^[\w-]{20,36}$/, INCOMPLETE)
    .refine(isDocumentId, INCOMPLETE),
  message: z
    .string("Type a message first.")
    // Browsers submit line breaks as CRLF, scripts as LF.
    .overwrite((text) => text.replaceAll(/\r\n?/g, "\n"))
    .trim()
    .refine(isVisible, "Type a message first.")
    .refine(
      hasAtMost(MAX_TEXT_LENGTH),
      `A message can have up to ${MAX_TEXT_LENGTH.toLocaleString("en")} characters.`,
    ),
  messageUid: z.string().optional(),
});

/** The names of the composer's fields. */
export const MESSAGE_FIELDS = getFieldNames(messageFormSchema);
export type MessageForm = Form<(typeof MESSAGE_FIELDS)[number]>;

const ERRORS: Record<MessageError["reason"], { status: number; message: string; hint?: string }> = {
  unauthenticated: {
    status: 401,
    message: "Not authenticated",
    hint: "You were signed out. Your text is safe. Sign in from another tab, then send it again.",
  },
  "other-user": {
    status: 401,
    message: "Not sent.",
    hint: "Someone else is signed in now. Your text is safe. Sign in as yourself, then send it again.",
  },
  invalid: { status: 400, message: "Not sent." },
  denied: {
    status: 403,
    message: "Not sent.",
    hint: "You can't do that here. If you just signed in, reload the page.",
  },
  unavailable: {
    status: 503,
    message: "Not sent.",
    hint: "We can't reach the room right now. Nothing was lost; try again.",
  },
  "too-fast": { status: 429, message: "Not sent." },
  "draft-not-saved": {
    status: 409,
    message: "Not sent.",
    hint: "We couldn't save your story, so we didn't send your message. Both are still here.",
  },
};

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
  const page = await catchUnavailable(
    passage ? listAbout({ request, context }, passage) : getMessages(context).list(before),
  );
  const isUnavailable = page instanceof UnavailableError;
  const passages = isUnavailable ? [] : listPassages(page.messages);
  return {
    feed: isUnavailable ? { status: "unavailable" } : { status: "loaded", ...page },
    isEarlier: before !== null || passage !== null,
    passage,
    stories: await findQuotedStories({ request, context }, passages),
    nextId: messageId,
    locale: getLocale(request, context),
    now,
    firebase: getFirebaseConfig(getEnv(context)),
  };
}

/** Loads the room for scripts on a page without it. Redirects documents to a page with the room. */
export async function loadRoomForScripts(args: LoaderFunctionArgs): Promise<Response> {
  if (isDocumentRequest(args.request)) return redirect("/home#room");
  return Response.json(await loadRoom(args), { headers: { "Cache-Control": "no-store" } });
}

/** @param id the story of the page; another page names it with `?story=` */
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

/**
 * Sends a message from the composer of a page. Redirects to the newest message of the same page; after an error the page
 * is rendered with what was typed.
 *
 * @param form the posted form, where it has been read already
 */
export async function sendMessage(args: ActionFunctionArgs, form?: MessageForm) {
  const { result, ...init } = await createMessage(
    args,
    form ?? (await readForm(args.request, MESSAGE_FIELDS)),
  );
  if (result.status === "error") return data<MessageResult>(result, init);
  const { pathname, search } = new URL(args.request.url);
  return redirect(toNewestPath(pathname + search), { headers: init.headers, status: 303 });
}

/** Stores a posted message as the signed-in user, and returns the result with the HTTP status and headers to answer. */
export async function createMessage(
  { request, context }: ActionFunctionArgs,
  form: MessageForm,
): Promise<{ result: MessageResult; status: number; headers: Record<string, string> }> {
  const { unchecked, verified } = await getSessionToVerify({ request, context });
  const { data: fields, error } = messageFormSchema.safeParse(Object.fromEntries(form));
  const isOwn = (form.get("messageUid") || unchecked.user?.uid) === unchecked.user?.uid;
  const creation =
    unchecked.user && fields && isOwn
      ? catchUnavailable(
          getMessages(context).create(
            unchecked.user,
            { id: fields.messageId, text: fields.message },
            {
              findNumber: (passage) => findNumber({ context }, passage),
              isSignedIn: verified.then(({ user }) => user !== null),
            },
          ),
        )
      : null;
  const { user, headers } = await verified;

  function fail(reason: MessageError["reason"], hint?: string) {
    const failure = toMessageError(form, reason);
    return {
      result: hint === undefined ? failure : { ...failure, hint },
      status: ERRORS[reason].status,
      headers,
    };
  }

  const result = await creation;
  if (!user) return fail("unauthenticated");
  if (!isOwn) return fail("other-user");
  if (!result) return fail("invalid", error?.issues[0]?.message);
  if (result instanceof UnavailableError) return fail("unavailable");
  if (result.status === "too-fast") {
    const { words, retryAfter } = describeWait(result.waitMs);
    const answer = fail(result.status, `You can send another message in ${words}.`);
    return { ...answer, headers: { ...headers, ...retryAfter } };
  }
  if (result.status !== "sent") return fail(result.status);
  addPageChange("message-sent");
  return { result, status: 200, headers };
}

/** Returns the error to show for a message that was not stored, with what was typed. */
export function toMessageError(form: MessageForm, reason: MessageError["reason"]): MessageError {
  const { message, hint } = ERRORS[reason];
  return { ...readMessageInput(form), status: "error", reason, message, ...(hint && { hint }) };
}

/** Reads what was typed in the composer, valid or not. */
export function readMessageInput(form: MessageForm): MessageInput {
  const { data: id = createDocumentId() } = messageFormSchema.shape.messageId.safeParse(
    form.get("messageId"),
  );
  const uid = form.get("messageUid");
  return { id, text: form.get("message") ?? "", ...(uid && { uid }) };
}
