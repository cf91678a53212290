import {
  data,
  redirect,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
} from "@remix-run/cloudflare";

import { getEnv, getFirebaseConfig } from "#app/env.server.ts";
import { createDocumentId } from "#app/firebase/document-id.ts";
import { getText } from "#app/http/form-text.ts";
import { namesOf, readForm, type Form } from "#app/http/form.server.ts";
import { describeWait } from "#app/session/retry-after.server.ts";
import { isFromUser } from "#app/session/same-user.ts";
import { getVerifiedSession } from "#app/session/user.server.ts";
import { getLocale } from "#app/site/locale/locale.server.ts";
import { draftSchema } from "./message-schema.ts";
import { getMessages } from "./messages.server.ts";
import type { Refusal, RoomView, SendReply, TypedDraft } from "./room-data.ts";

/** What the composer sends. */
export const MESSAGE_FIELDS = [...namesOf(draftSchema), "uid"] as const;
export type MessageForm = Form<(typeof MESSAGE_FIELDS)[number]>;

/** Reads the room for a page that shows the panel. */
export async function loadRoom({ request, context }: LoaderFunctionArgs): Promise<RoomView> {
  const room = getMessages(context);
  const firebaseConfig = getFirebaseConfig(getEnv(context));
  return {
    messages: await room.list(),
    nextId: createDocumentId(),
    locale: getLocale(request, context),
    now: Date.now(),
    firebase: firebaseConfig,
  };
}

/**
 * Takes a message from the composer on any page that has one. The answer leads back to the page, at its
 * newest message; a refusal is the page itself with what was typed. `form` is what was posted, where it has been read already.
 */
export async function sendMessage(args: ActionFunctionArgs, form?: MessageForm) {
  const message = form ?? (await readForm(args.request, MESSAGE_FIELDS));
  const { reply, status, headers } = await answerMessage(args, message);
  if (reply.status === "refused") return data<SendReply>(reply, { status, headers });
  const { pathname, search } = new URL(args.request.url);
  return redirect(`${pathname}${search}#newest`, { headers, status: 303 });
}

/** Stores a posted message as whoever sends it, and tells what became of it. */
export async function answerMessage(
  { request, context }: ActionFunctionArgs,
  form: MessageForm,
): Promise<Answer> {
  const { user, headers } = await getVerifiedSession({ request, context });

  function refuse(reason: Refusal["reason"], hint?: string): Answer {
    const reply = { ...refuseMessage(form, reason), ...(hint && { hint }) };
    return { reply, status: REFUSALS[reason].status, headers };
  }

  const draft = draftSchema.safeParse(Object.fromEntries(form));
  if (!user) return refuse("unauthenticated");
  if (!isFromUser(form, user)) return refuse("other-user");
  if (!draft.success) return refuse("invalid", draft.error.issues[0]?.message);
  if (!user.idToken) return refuse("unreachable");

  const outcome = await getMessages(context).post(user, user.idToken, draft.data);
  if (outcome.status === "too-fast") {
    const { words, retryAfter } = describeWait(outcome.waitMs);
    const answer = refuse(outcome.status, `You can send another message in ${words}.`);
    return { ...answer, headers: { ...headers, ...retryAfter } };
  }
  if (outcome.status !== "sent") return refuse(outcome.status);
  return { reply: outcome, status: 200, headers };
}

/** Gives a message back that was not stored, and says why. */
export function refuseMessage(form: MessageForm, reason: Refusal["reason"]): Refusal {
  const { message, hint } = REFUSALS[reason];
  return { ...readTypedMessage(form), status: "refused", reason, message, ...(hint && { hint }) };
}

/** What was typed in the composer, whether it can be sent or not, so that nothing of it is lost. */
export function readTypedMessage(form: MessageForm): TypedDraft {
  const id = draftSchema.shape.id.safeParse(form.get("id")).data ?? createDocumentId();
  const uid = getText(form, "uid");
  return { id, text: getText(form, "text"), ...(uid && { uid }) };
}

interface Answer {
  reply: SendReply;
  status: number;
  headers: Record<string, string>;
}

const REFUSALS: Record<Refusal["reason"], { status: number; message: string; hint?: string }> = {
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
  unreachable: {
    status: 503,
    message: "Not sent.",
    hint: "We can't reach the room right now. Nothing was lost; try again.",
  },
  "too-fast": { status: 429, message: "Not sent." },
  held: {
    status: 409,
    message: "Not sent.",
    hint: "We couldn't save your story, so we didn't send your message. Both are still here.",
  },
};
