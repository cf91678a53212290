import {
  data,
  redirect,
  type ActionFunctionArgs,
  type AppLoadContext,
} from "@remix-run/cloudflare";
import * as z from "zod";

import { getEnv } from "#app/env.server.ts";
import { createDocumentId, isDocumentId } from "#app/firebase/document-id.ts";
import {
  FirestoreError,
  PermissionDeniedError,
  UnauthenticatedError,
} from "#app/firebase/firestore-error.server.ts";
import type { Fields } from "#app/firebase/firestore-types.ts";
import { asUser } from "#app/firebase/firestore.server.ts";
import { catchUnavailable } from "#app/http/catch-unavailable.server.ts";
import { getFieldNames, readForm, type Form } from "#app/http/form.server.ts";
import { httpsAddressSchema } from "#app/http/https-url-schema.ts";
import { READ_TIMEOUT_MS } from "#app/http/outgoing-calls.server.ts";
import { hasAtMost } from "#app/http/text-length.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { isVisible } from "#app/http/visible-text.ts";
import { countDocument, getRateRecordPath } from "#app/session/rate-record.server.ts";
import { describeWait } from "#app/session/retry-after.server.ts";
import { getPendingUser } from "#app/session/user.server.ts";
import { MAX_NAME_LENGTH, type AuthUser, type User } from "#app/session/user.ts";
import {
  getPublicName,
  MAX_TEXT_LENGTH,
  getMessagesPath,
  type MessageError,
  type MessageInput,
  type MessageResult,
} from "./message.ts";
import { loadParagraphFinder } from "./quotes/paragraph-number.server.ts";
import { countQuote, getQuoteRecordPath, isRecorded } from "./quotes/quote-record.server.ts";
import { addQuote, readPassage, splitQuote } from "./quotes/quote.ts";
import { ROOM_ID, toSentPath } from "./room-address.ts";

const INCOMPLETE = "The form is incomplete. Reload the page and try again.";
const TOO_LONG = `A message can have up to ${MAX_TEXT_LENGTH.toLocaleString("en")} characters.`;

/**
 * The composer's fields. They are not named `id`, `text` and `uid`, because on /create they are part of the story's form,
 * which has fields with these names.
 */
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
    .refine(hasAtMost(MAX_TEXT_LENGTH), TOO_LONG),
  messageUid: z.string().optional(),
  /** The quote of the passage whose messages are shown. */
  messageQuote: z
    .string()
    .overwrite((text) => text.replaceAll(/\r\n?/g, "\n"))
    .refine((text) => splitQuote(text)[0] === text, INCOMPLETE)
    .default(""),
});

const inputSchema = messageFormSchema
  .transform(({ messageId: id, message, messageQuote }) => ({
    id,
    text: addQuote(message, messageQuote),
  }))
  .refine(({ text }) => hasAtMost(MAX_TEXT_LENGTH)(text), TOO_LONG);

/** The names of the composer's fields. */
export const MESSAGE_FIELDS = getFieldNames(messageFormSchema);
export type MessageForm = Form<(typeof MESSAGE_FIELDS)[number]>;

const ERRORS: Record<MessageError["reason"], { status: number; message: string; hint?: string }> = {
  unauthenticated: {
    status: 401,
    message: "Not authenticated",
    hint: "You were signed out. Your text is safe.",
  },
  "other-user": {
    status: 401,
    message: "Not sent.",
    hint: "Someone else is signed in now. Your text is safe.",
  },
  invalid: { status: 400, message: "Not sent." },
  denied: {
    status: 403,
    message: "Not sent.",
    hint: "You don't have permission to do that. If you just signed in, reload the page.",
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
 * Sends a message from the composer of a page. Redirects to it on the same page; after an error the page
 * is rendered with what was typed.
 *
 * @param form the posted form, if it has been read already
 */
export async function sendMessage(args: ActionFunctionArgs, form?: MessageForm) {
  const { result, ...init } = await createMessage(
    args,
    form ?? (await readForm(args.request, MESSAGE_FIELDS)),
  );
  if (result.status === "error") return data<MessageResult>(result, init);
  const { pathname, search } = new URL(args.request.url);
  return redirect(toSentPath(pathname + search), { headers: init.headers, status: 303 });
}

/** Sends a message that a script has posted. Responds with JSON. */
export async function sendMessageForScripts(args: ActionFunctionArgs): Promise<Response> {
  const form = await readForm(args.request, MESSAGE_FIELDS);
  const { result, ...init } = await createMessage(args, form);
  return Response.json(result, init);
}

/** Stores a posted message as the signed-in user, and returns the result with the HTTP status and headers. */
export async function createMessage(
  { request, context }: ActionFunctionArgs,
  form: MessageForm,
): Promise<{ result: MessageResult; status: number; headers: Record<string, string> }> {
  const { unchecked, checked } = await getPendingUser({ request, context });
  const { data: input, error } = inputSchema.safeParse(Object.fromEntries(form));
  const isOwn = (form.get("messageUid") || unchecked.user?.uid) === unchecked.user?.uid;
  const creation =
    unchecked.user && input && isOwn
      ? catchUnavailable(
          storeMessage(
            { context },
            unchecked.user,
            input,
            checked.then(({ user }) => user !== null),
          ),
        )
      : null;
  const { user, headers } = await checked;

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
    const failed = fail(result.status, `You can send another message in ${words}.`);
    return { ...failed, headers: { ...headers, ...retryAfter } };
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

/** How often a message is tried when others of the same user, or about the same story, are stored at the same time. */
const MAX_TRIES = 5;

/** The exact fields of a stored message, except `createdAt`, which Firestore sets. */
export const messageFieldsSchema = z.strictObject({
  text: z.string().refine(hasAtMost(MAX_TEXT_LENGTH)).refine(isVisible),
  uid: z.string().min(1),
  displayName: z.string().refine(hasAtMost(MAX_NAME_LENGTH)),
  photoURL: httpsAddressSchema.refine(hasAtMost(2000)).nullable(),
});

/** `denied`: the rules or other documents under the same ids do not allow the message. */
type CreateResult =
  | { status: "sent"; id: string }
  | { status: "unauthenticated" | "denied" }
  | { status: "too-fast"; waitMs: number };

/**
 * Stores a message as its sender, and counts it for the rate limit. Sending the same input again stores and counts
 * nothing: the stored message is recognized. Another text under a used id gets a different id. A message that quotes a
 * story is counted for the passage too.
 *
 * Makes two requests in a row: it reads while the session is checked, and then commits.
 *
 * @param isSignedIn whether the user is still signed in. Nothing is written before it has resolved
 * @throws {UnavailableError} after which the message may have been stored: send it again with the same id
 */
async function storeMessage(
  args: { context: AppLoadContext },
  user: AuthUser,
  input: MessageInput,
  isSignedIn: Promise<boolean>,
): Promise<CreateResult> {
  try {
    return await tryToStore(args, user, input, isSignedIn);
  } catch (error) {
    if (error instanceof UnauthenticatedError) return { status: "unauthenticated" };
    if (error instanceof PermissionDeniedError) return { status: "denied" };
    if (!(error instanceof FirestoreError)) throw error;
    throw new UnavailableError("Firestore rejected the message", { cause: error });
  }
}

async function tryToStore(
  args: { context: AppLoadContext },
  user: AuthUser,
  input: MessageInput,
  isSignedIn: Promise<boolean>,
): Promise<CreateResult> {
  const firestore = asUser(getEnv(args.context), user);
  const ids = [input.id, await deriveId(input)];
  const passage = readPassage(input.text);
  const findNumber = passage && loadParagraphFinder(args, passage);
  const paths = [
    ...ids.map(toPath),
    getRateRecordPath(user.uid, "messages"),
    ...(passage ? [getQuoteRecordPath(passage.story)] : []),
  ];
  let deniedState: string | undefined;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const call = { timeoutMs: READ_TIMEOUT_MS };
    const { documents, readTime } = await firestore.batchGet(paths, call);
    if (!(await isSignedIn)) return { status: "unauthenticated" };

    const storedId = ids.find((_, index) => isSame(documents[index]?.fields, user, input));
    if (storedId !== undefined) return { status: "sent", id: storedId };
    const id = ids.find((_, index) => !documents[index]);
    if (id === undefined) return { status: "denied" };

    const record = documents[ids.length] ?? null;
    const quotes = documents[ids.length + 1] ?? null;
    const next = countDocument({ uid: user.uid, kind: "messages", id }, record, readTime);
    if (next.status === "too-fast") return next;
    // Retrying helps only if another request has changed something since.
    const state = `${id} ${record?.updateTime} ${quotes?.updateTime}`;
    if (state === deniedState) return { status: "denied" };

    const number = passage && !isRecorded(quotes, passage) ? await findNumber?.() : undefined;
    const quote = passage && countQuote(quotes, { passage, id, uid: user.uid }, number);

    const message = { path: toPath(id), fields: toFields(user, input) };
    try {
      await firestore.commit([
        { ...message, serverTimestamps: ["createdAt"], exists: false },
        next.write,
        ...(quote ? [quote] : []),
      ]);
      return { status: "sent", id };
    } catch (error) {
      const isDenied = error instanceof FirestoreError && !(error instanceof UnauthenticatedError);
      if (!isDenied) throw error;
      deniedState = state;
    }
  }
  throw new UnavailableError("Other messages were stored at the same time");
}

function toPath(id: string): string {
  return `${getMessagesPath(ROOM_ID)}/${id}`;
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

/** Returns the id for another text under a used id: always the same for the same id and text. */
async function deriveId({ id, text }: MessageInput): Promise<string> {
  const bytes = new TextEncoder().encode(`${id}\n${text}`);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
