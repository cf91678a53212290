import { getMessagePath } from "./stored-messages.server.ts";
import { data, redirect, type ActionFunctionArgs } from "@remix-run/cloudflare";
import * as z from "zod";

import { getEnv } from "#app/env.server.ts";
import { createDocumentId, isDocumentId } from "#app/firebase/document-id.ts";
import { FirestoreError, UnauthenticatedError } from "#app/firebase/firestore-error.server.ts";
import type { Fields } from "#app/firebase/firestore-types.ts";
import { asUser } from "#app/firebase/firestore.server.ts";
import { getFieldNames, readForm, type Form } from "#app/http/form.server.ts";
import { hash, toHex } from "#app/http/hash.server.ts";
import { joinHeaders } from "#app/http/headers.ts";
import { pictureAddressSchema } from "#app/http/https-url-schema.ts";
import { READ_TIMEOUT_MS } from "#app/http/outgoing-calls.server.ts";
import { hasAtMost, isVisible } from "#app/http/text.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import type { ActionError } from "#app/session/action-result.ts";
import { countDocument, getRateRecordPath } from "#app/session/rate-record.server.ts";
import { describeWait } from "#app/session/rate-limit.server.ts";
import {
  ActionFailure,
  isFromUser,
  runAction,
  toActionError,
  toJsonResponse,
  type ActionWords,
} from "#app/session/run-action.server.ts";
import { getPendingUser } from "#app/session/user.server.ts";
import { MAX_NAME_LENGTH, type AuthUser, type User } from "#app/session/user.ts";
import {
  getPublicName,
  MAX_TEXT_LENGTH,
  toOperatorId,
  type MessageError,
  type MessageInput,
  type MessageResult,
} from "./message.ts";
import { listCausePaths, toAnswerWrites } from "./answers/answer-writes.server.ts";
import { rememberMute, requireUnmuted } from "./moderation/mute.server.ts";
import { getMutePath } from "./moderation/mute.ts";
import { createNumberFinder, getTopicPath, toTopicWrite } from "./quotes/topics.server.ts";
import { addQuote, readSubject, splitQuote, splitReply } from "./quotes/quote.ts";
import { toSentPath } from "./room-address.ts";

const INCOMPLETE = "The form is incomplete. Reload the page and try again.";
const TOO_LONG = `A message can have up to ${MAX_TEXT_LENGTH.toLocaleString("en")} characters.`;

export const NO_TEXT = "Type a message first.";

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
    .string(NO_TEXT)
    .trim()
    .refine(isVisible, NO_TEXT)
    .refine(hasAtMost(MAX_TEXT_LENGTH), TOO_LONG),
  messageUid: z.string().optional(),
  /** The lines that say which passage or story the messages that are shown are about. */
  messageQuote: z
    .string()
    .refine((text) => text === "" || splitQuote(`${text}x`)[0] === text, INCOMPLETE)
    .default(""),
  /** The id of the message that it replies to. */
  messageReplyTo: z
    .string()
    .refine((id) => id === "" || isDocumentId(id), INCOMPLETE)
    .default(""),
});

const inputSchema = messageFormSchema
  .transform(({ messageId: id, message, messageQuote, messageReplyTo }) => ({
    id,
    text: addQuote(message, messageQuote),
    replyTo: messageReplyTo || undefined,
  }))
  .refine(({ text }) => hasAtMost(MAX_TEXT_LENGTH)(text), TOO_LONG);

/** The names of the composer's fields. */
export const MESSAGE_FIELDS = getFieldNames(messageFormSchema);
export type MessageForm = Form<(typeof MESSAGE_FIELDS)[number]>;

const NOT_SENT = "Not sent.";

const WORDS: ActionWords = {
  unauthenticated: { hint: "You were signed out. Your text is safe." },
  "other-user": { message: NOT_SENT, hint: "Someone else is signed in now. Your text is safe." },
  invalid: { message: NOT_SENT },
  denied: {
    message: NOT_SENT,
    hint: "You don't have permission to do that. If you just signed in, reload the page.",
  },
  unavailable: {
    message: NOT_SENT,
    hint: "We can't reach the room right now. Nothing was lost; try again.",
  },
  "too-fast": { message: NOT_SENT },
};

const DRAFT_NOT_SAVED: ActionError<MessageError["reason"]> = {
  status: "error",
  reason: "draft-not-saved",
  message: NOT_SENT,
  hint: "We couldn't save your story, so we didn't send your message. Both are still here.",
};

/**
 * Sends a message from the composer of a page. Redirects to it on the same page; after an error the page
 * is rendered with what was typed.
 *
 * @param form the posted form, if it has been read already
 */
export async function sendMessage(args: ActionFunctionArgs, form?: MessageForm) {
  const { error, status, headers } = await createMessage(
    args,
    form ?? (await readForm(args.request, MESSAGE_FIELDS)),
  );
  if (error) return data<MessageResult>(error, { status, headers });
  const { pathname, search } = new URL(args.request.url);
  return redirect(toSentPath(pathname + search), { headers, status: 303 });
}

/** Sends a message that a script has posted. Responds with JSON. */
export async function sendMessageForScripts(args: ActionFunctionArgs): Promise<Response> {
  return toJsonResponse(await createMessage(args, await readForm(args.request, MESSAGE_FIELDS)));
}

/** Stores a posted message as the signed-in user, while the session is checked. */
export async function createMessage({ request, context }: ActionFunctionArgs, form: MessageForm) {
  const { unchecked, checked } = await getPendingUser({ request, context });
  const { user } = unchecked;
  const uid = form.get("messageUid");
  const { data: input, error } = inputSchema.safeParse(Object.fromEntries(form));
  const isSignedIn = checked.then((session) => session.user !== null);
  const isStored =
    user && input && isFromUser(uid, user)
      ? storeMessage({ request, context }, user, input, isSignedIn)
      : Promise.reject(new ActionFailure({ reason: "invalid", hint: error?.issues[0]?.message }));
  // It may fail before the session is checked.
  isStored.catch(() => undefined);
  const run = await runAction(
    { request, context },
    { uid, words: WORDS, session: checked },
    () => isStored,
  );
  if (!run.error) return run;
  const muted = run.error.reason === "muted" ? run.user : null;
  const headers = joinHeaders(run.headers, muted ? rememberMute(request, muted) : {});
  return { ...run, headers, error: { ...readMessageInput(form), ...run.error } };
}

/** Returns the error to show for a message that was not stored, with what was typed. */
export function toMessageError(
  form: MessageForm,
  reason: "unauthenticated" | "other-user" | "draft-not-saved",
): MessageError {
  const error = reason === "draft-not-saved" ? DRAFT_NOT_SAVED : toActionError({ reason }, WORDS);
  return { ...readMessageInput(form), ...error };
}

/** Reads what was typed in the composer, valid or not. */
export function readMessageInput(form: MessageForm): MessageInput {
  const { data: id = createDocumentId() } = messageFormSchema.shape.messageId.safeParse(
    form.get("messageId"),
  );
  const uid = form.get("messageUid");
  const replyTo = form.get("messageReplyTo");
  return {
    id,
    text: form.get("message") ?? "",
    ...(uid && { uid }),
    ...(replyTo && { replyTo }),
  };
}

/** How often a message is tried when others of the same user are stored at the same time. */
const MAX_TRIES = 5;

/** The exact fields of a stored message, except `createdAt`, which Firestore sets. */
export const messageFieldsSchema = z.strictObject({
  text: z.string().refine(hasAtMost(MAX_TEXT_LENGTH)).refine(isVisible),
  uid: z.string().min(1),
  displayName: z.string().refine(hasAtMost(MAX_NAME_LENGTH)),
  photoURL: pictureAddressSchema.refine(hasAtMost(2000)).nullable(),
});

/**
 * Stores a message as its sender, and counts it for the rate limit. Sending the same input again stores and counts
 * nothing: the stored message is recognized. Another text under a used id gets a different id. What a message is about is
 * stored beside it, and an answer is stored for each recipient.
 *
 * Makes two requests in a row: it reads while the session is checked, and then commits.
 *
 * @param isSignedIn whether the user is still signed in. Nothing is written before it has resolved
 * @throws {ActionFailure | FirestoreError | UnavailableError} the message may have been stored: send it again with the same
 *   id
 */
async function storeMessage(
  args: Pick<ActionFunctionArgs, "request" | "context">,
  user: AuthUser,
  input: MessageInput,
  isSignedIn: Promise<boolean>,
): Promise<{ status: "sent"; id: string }> {
  const firestore = asUser(getEnv(args.context), user);
  const ids = [input.id, await deriveId(input)].map((id) =>
    user.isOperator ? toOperatorId(id) : id,
  );
  const subject = readSubject(input.text);
  const number = subject && createNumberFinder(args, user, subject);
  const { replyTo } = input;
  const rateRecord = getRateRecordPath(user.uid, "messages");
  const mute = getMutePath(user.uid);
  const paths = [
    ...ids.map(getMessagePath),
    rateRecord,
    ...listCausePaths({ ...subject, replyTo }),
    ...(replyTo ? [getTopicPath(replyTo)] : []),
    ...(number?.path ? [number.path] : []),
  ];
  let deniedState: string | undefined;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const call = { timeoutMs: READ_TIMEOUT_MS };
    // The mute is read only after the rules have denied the message, to say why.
    const asked = tries === 0 ? paths : [...paths, mute];
    const { documents, readTime } = await firestore.batchGet(asked, call);
    if (!(await isSignedIn)) throw new ActionFailure({ reason: "unauthenticated" });
    const find = (path: string) => documents.find((document) => document?.path === path) ?? null;

    const storedId = ids.find((id) => isSame(find(getMessagePath(id))?.fields, user, input));
    if (storedId !== undefined) return { status: "sent", id: storedId };
    requireUnmuted(args, find(mute), readTime);
    const id = ids.find((candidate) => !find(getMessagePath(candidate)));
    // Other messages have both ids.
    if (id === undefined) throw new ActionFailure({ reason: "denied" });

    const record = find(rateRecord);
    const next = countDocument({ uid: user.uid, kind: "messages", id }, record, readTime);
    if (next.status === "too-fast") {
      const hint = `You can send another message in ${describeWait(next.waitMs).words}.`;
      throw new ActionFailure({ reason: "too-fast", waitMs: next.waitMs, hint });
    }
    const answered = replyTo && find(getMessagePath(replyTo)) ? replyTo : null;
    const text = replyTo && !answered ? removeAnswered(input.text) : input.text;
    if (!isVisible(text)) throw new ActionFailure({ reason: "invalid", hint: NO_TEXT });
    const answers = toAnswerWrites(
      { id, uid: user.uid, topic: { ...subject, replyTo: answered } },
      (path) => find(path)?.fields,
    );
    // Retrying helps only if another request has changed something since.
    const state = [id, record?.updateTime, answered, ...answers.map(({ path }) => path)].join(" ");
    if (state === deniedState) throw new ActionFailure({ reason: "denied" });

    const topic = {
      number: (await number?.getNumber(find, answered)) ?? null,
      replyTo: answered,
    };
    const hasTopic = subject !== null || topic.replyTo !== null;
    const message = { path: getMessagePath(id), fields: toFields(user, text) };
    try {
      await firestore.commit([
        { ...message, serverTimestamps: ["createdAt"], exists: false },
        next.write,
        ...(hasTopic ? [toTopicWrite({ id, uid: user.uid, subject }, topic)] : []),
        ...answers,
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

/** Returns the fields to store. The rules require the name and photo of the ID token. */
function toFields({ uid, displayName, photoURL }: User, text: string) {
  return messageFieldsSchema.parse({
    text,
    uid,
    displayName: getPublicName(displayName),
    photoURL: messageFieldsSchema.shape.photoURL.safeParse(photoURL).data ?? null,
  });
}

/** Removes the words of the message that a reply answers, because that message has been deleted. */
function removeAnswered(text: string): string {
  return splitQuote(text)[0] + splitReply(text)[1];
}

function isSame(
  stored: Fields | undefined,
  { uid }: User,
  { text, replyTo }: MessageInput,
): boolean {
  if (stored?.uid !== uid) return false;
  return stored.text === text || (Boolean(replyTo) && stored.text === removeAnswered(text));
}

/** Returns the id for another text under a used id: always the same for the same id and text. */
async function deriveId({ id, text }: MessageInput): Promise<string> {
  const digest = await hash(`${id}\n${text}`);
  return toHex(digest.subarray(0, 16));
}
