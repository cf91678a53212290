import {
  data,
  redirect,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
} from "@remix-run/cloudflare";
import * as z from "zod";

import { getEnv, getFirebaseConfig, oncePerEnv, type Env } from "#app/env.server.ts";
import { createDocumentId, isDocumentId } from "#app/firebase/document-id.ts";
import {
  FirestoreError,
  PermissionDeniedError,
  UnauthenticatedError,
} from "#app/firebase/firestore-error.server.ts";
import type {
  CallOptions,
  DocumentSnapshot,
  Fields,
  QueryOptions,
} from "#app/firebase/firestore-types.ts";
import { asUser } from "#app/firebase/firestore.server.ts";
import { requireRead } from "#app/firebase/require-read.server.ts";
import { catchUnavailable } from "#app/http/catch-unavailable.server.ts";
import { getFieldNames, readForm, type Form } from "#app/http/form.server.ts";
import { httpsAddressSchema } from "#app/http/https-url-schema.ts";
import { isDocumentRequest } from "#app/http/page-request.server.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { isVisible } from "#app/http/visible-text.ts";
import { countNext, rateRecordPath } from "#app/session/rate-record.server.ts";
import { describeWait } from "#app/session/retry-after.server.ts";
import { getVerifiedSession } from "#app/session/user.server.ts";
import type { AuthUser, User } from "#app/session/user.ts";
import { getLocale } from "#app/site/locale/locale.server.ts";
import {
  getPublicName,
  isPassage,
  MAX_NAME_LENGTH,
  MAX_TEXT_LENGTH,
  messagesPath,
  PAGE_SIZE,
  readPassage,
  sortMessages,
  type Message,
  type MessageError,
  type MessageInput,
  type MessagePage,
  type MessageResult,
  type Passage,
  type RoomData,
} from "./message.ts";
import { findNumber } from "./quotes/find-number.server.ts";
import { listAbout } from "./quotes/list-about.server.ts";
import { countQuote, hasNumber, quoteRecordPath } from "./quotes/quote-record.server.ts";
import { findQuotedStories, listPassages } from "./quotes/quoted-stories.server.ts";
import {
  BEFORE_PARAM,
  formatCursor,
  PASSAGE_PARAM,
  readCursor,
  ROOM_ID,
  toNewestPath,
  type MessageCursor,
} from "./room-address.ts";
import { toMessage } from "./to-message.server.ts";

/** Pages are worth showing without the feed. */
const LIST_TIMEOUT_MS = 2000;

/** Before anything is sent. */
const READ_TIMEOUT_MS = 10_000;

/** How often a message is retried when others of the same user, or about the same story, are stored at the same time. */
const MAX_TRIES = 5;

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

/** The exact fields of a stored message, except `createdAt`, which Firestore sets. */
export const messageFieldsSchema = z.strictObject({
  text: z.string().refine(hasAtMost(MAX_TEXT_LENGTH)).refine(isVisible),
  uid: z.string().min(1),
  displayName: z.string().refine(hasAtMost(MAX_NAME_LENGTH)),
  photoURL: httpsAddressSchema.refine(hasAtMost(2000)).nullable(),
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
    nextId: createDocumentId(),
    locale: getLocale(request, context),
    now: Date.now(),
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
  const { user, headers } = await getVerifiedSession({ request, context });

  function fail(reason: MessageError["reason"], hint?: string) {
    const error = toMessageError(form, reason);
    return {
      result: hint === undefined ? error : { ...error, hint },
      status: ERRORS[reason].status,
      headers,
    };
  }

  if (!user) return fail("unauthenticated");
  const { data: fields, error } = messageFormSchema.safeParse(Object.fromEntries(form));
  if ((form.get("messageUid") || user.uid) !== user.uid) return fail("other-user");
  if (!fields) return fail("invalid", error.issues[0]?.message);

  const input = { id: fields.messageId, text: fields.message };
  const result = await catchUnavailable(
    getMessages(context).create(user, input, (passage) => findNumber({ context }, passage)),
  );
  if (result instanceof UnavailableError) return fail("unavailable");
  if (result.status === "too-fast") {
    const { words, retryAfter } = describeWait(result.waitMs);
    const answer = fail(result.status, `You can send another message in ${words}.`);
    return { ...answer, headers: { ...headers, ...retryAfter } };
  }
  if (result.status !== "sent") return fail(result.status);
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

/** `denied`: the rules or other documents under the same ids do not allow the message. */
type CreateResult =
  | { status: "sent"; id: string }
  | { status: "unauthenticated" | "denied" }
  | { status: "too-fast"; waitMs: number };

/** Reads and writes the room's messages in Firestore. */
function createMessageService(env: Env) {
  const path = messagesPath(ROOM_ID);

  /**
   * Returns the newest messages, or those before a cursor.
   *
   * @throws {UnavailableError}
   */
  async function list(before: MessageCursor | null): Promise<MessagePage> {
    const documents = await queryNewest({
      ...(before && { startAfter: [new Date(before.createdAt), `${path}/${before.id}`] }),
    });
    const last = documents.length === PAGE_SIZE ? documents.at(-1) : undefined;
    return {
      messages: sortMessages(documents.flatMap(toMessage)),
      before: last ? toCursor(last) : null,
    };
  }

  /**
   * Returns the newest messages since a time, oldest first and at most 50. Does not log a failure.
   *
   * @param since milliseconds since the Unix epoch
   * @throws {UnavailableError}
   */
  async function listSince(since: number, signal: AbortSignal): Promise<Message[]> {
    const where = [["createdAt", ">=", new Date(since)]] as const;
    const documents = await queryNewest({ where }, { signal, isLogged: false });
    return sortMessages(documents.flatMap(toMessage));
  }

  function queryNewest(query: Partial<QueryOptions>, options: CallOptions = {}) {
    const newest: QueryOptions = {
      // Matches every time: a query over REST cannot ask for "not null", and the rules only allow times.
      where: [["createdAt", ">", new Date(0)]],
      orderBy: ["createdAt", "desc"],
      limit: PAGE_SIZE,
      ...query,
    };
    return requireRead(
      asUser(env, null).query(path, newest, { timeoutMs: LIST_TIMEOUT_MS, ...options }),
    );
  }

  /**
   * Stores a message as its sender, and counts it for the rate limit. Sending the same input again stores and counts
   * nothing: the stored message is recognised. Another text under a used id gets an id of its own. A message that quotes
   * a story is counted for the passage too.
   *
   * @param findNumber returns the number of a paragraph; called for the first message that quotes it
   * @throws {UnavailableError} after which the message may have been stored: send it again with the same id
   */
  async function create(
    user: AuthUser,
    input: MessageInput,
    findNumber: (passage: Passage) => Promise<number | undefined>,
  ): Promise<CreateResult> {
    try {
      return await tryToCreate(user, input, findNumber);
    } catch (error) {
      if (error instanceof UnauthenticatedError) return { status: "unauthenticated" };
      if (error instanceof PermissionDeniedError) return { status: "denied" };
      if (!(error instanceof FirestoreError)) throw error;
      throw new UnavailableError("Firestore refused the message", { cause: error });
    }
  }

  async function tryToCreate(
    user: AuthUser,
    input: MessageInput,
    findNumber: (passage: Passage) => Promise<number | undefined>,
  ): Promise<CreateResult> {
    const firestore = asUser(env, user);
    const ids = [input.id, await deriveId(input)];
    const passage = readPassage(input.text);
    const paths = [
      ...ids.map((id) => `${path}/${id}`),
      rateRecordPath(user.uid, "messages"),
      ...(passage ? [quoteRecordPath(passage.story)] : []),
    ];
    let number: number | undefined;
    let deniedState: string | undefined;
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const options = { timeoutMs: READ_TIMEOUT_MS };
      const { documents, readTime } = await firestore.batchGet(paths, options);

      const storedId = ids.find((_, index) => isSame(documents[index]?.fields, user, input));
      if (storedId !== undefined) return { status: "sent", id: storedId };
      const id = ids.find((_, index) => !documents[index]);
      if (id === undefined) return { status: "denied" };

      const record = documents[ids.length] ?? null;
      const quotes = documents[ids.length + 1] ?? null;
      const next = countNext({ uid: user.uid, kind: "messages", id }, record, readTime);
      if (next.status === "too-fast") return next;
      // Retrying helps only if another request has changed something since.
      const state = `${id} ${record?.updateTime} ${quotes?.updateTime}`;
      if (state === deniedState) return { status: "denied" };

      if (passage && !hasNumber(quotes, passage)) number ??= await findNumber(passage);
      const quote = passage && countQuote(quotes, { passage, id }, number);

      const message = { path: `${path}/${id}`, fields: toFields(user, input) };
      try {
        await firestore.commit([
          { ...message, serverTimestamps: ["createdAt"], exists: false },
          next.write,
          ...(quote ? [quote] : []),
        ]);
        return { status: "sent", id };
      } catch (error) {
        const isDenied =
          error instanceof FirestoreError && !(error instanceof UnauthenticatedError);
        if (!isDenied) throw error;
        deniedState = state;
      }
    }
    throw new UnavailableError("Other messages were stored at the same time");
  }

  return { list, listSince, create };
}

/** Returns the fields to store. The rules require the name and photo of the ID token. */
function toFields({ uid, displayName, photoURL }: User, { text }: MessageInput) {
  return messageFieldsSchema.parse({
    text,
    uid,
    displayName: getPublicName(displayName),
    photoURL: messageFieldsSchema.shape.photoURL.safeParse(photoURL).data ?? null,
  });
}

function isSame(stored: Fields | undefined, { uid }: User, { text }: MessageInput): boolean {
  return stored !== undefined && stored.uid === uid && stored.text === text;
}

function toCursor({ id, fields: { createdAt } }: DocumentSnapshot): string | null {
  return createdAt instanceof Date ? formatCursor({ id, createdAt: createdAt.getTime() }) : null;
}

/** Returns the second id of a message, the same for the same id and text. */
async function deriveId({ id, text }: MessageInput): Promise<string> {
  const bytes = new TextEncoder().encode(`${id}\n${text}`);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Counts UTF-16 units, as the limits do; Zod's own limits count code points. */
function hasAtMost(limit: number): (text: string) => boolean {
  return (text) => text.length <= limit;
}

export const getMessages = oncePerEnv((env) => createMessageService(env));
