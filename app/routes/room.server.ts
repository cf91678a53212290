import {
  data,
  redirect,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
} from "@remix-run/cloudflare";

import type { Refusal, RoomView, SendReply } from "#app/features/chat/room-view.ts";
import { draftSchema } from "#app/schemas/message-schema.ts";
import { createDocumentId } from "#app/schemas/document-id.ts";
import { getClock } from "#app/services/clock.server.ts";
import { readForm } from "#app/services/form.server.ts";
import { getActor, getServices } from "#app/services/services.server.ts";
import type { Visitor } from "#app/services/session.server.ts";
import { getText } from "./form-text.ts";

/** Reads the room for a page that shows the panel. */
export async function loadRoom({ request, context }: LoaderFunctionArgs): Promise<RoomView> {
  const { room, firebaseConfig } = getServices(context);
  return {
    messages: await room.list(),
    nextId: createDocumentId(),
    clock: getClock(request, context),
    now: Date.now(),
    firebase: firebaseConfig,
  };
}

/**
 * Takes a message from the composer on any page that has one. The answer leads back to the page, at its
 * newest message; a refusal is the page itself with what was typed.
 */
export async function sendMessage(args: ActionFunctionArgs) {
  const { reply, status, headers } = await answerMessage(args);
  if (reply.status === "refused") return data<SendReply>(reply, { status, headers });
  const { pathname, search } = new URL(args.request.url);
  return redirect(`${pathname}${search}#newest`, { headers, status: 303 });
}

/** Stores a posted message as whoever sends it, and tells what became of it. */
export async function answerMessage({ request, context }: ActionFunctionArgs): Promise<Answer> {
  const form = await readForm(request);
  const { account, idToken, headers } = await getActor({ request, context });

  function refuse(reason: Refusal["reason"], hint?: string): Answer {
    const { status, ...words } = REFUSALS[reason];
    const id = draftSchema.shape.id.safeParse(form.get("id")).data ?? createDocumentId();
    const typed = { id, text: getText(form, "text") };
    const reply = { status: "refused", reason, ...typed, ...words, ...(hint && { hint }) } as const;
    return { reply, status, headers };
  }

  const draft = draftSchema.safeParse(Object.fromEntries(form));
  if (!account) return refuse("unauthenticated");
  if (!draft.success) return refuse("invalid", draft.error.issues[0]?.message);
  if (!idToken) return refuse("unreachable");

  const outcome = await getServices(context).room.post(account, idToken, draft.data);
  if (outcome.status !== "sent") return refuse(outcome.status);
  return { reply: outcome, status: 200, headers };
}

interface Answer {
  reply: SendReply;
  status: number;
  headers: Visitor["headers"];
}

const REFUSALS: Record<Refusal["reason"], { status: number; message: string; hint?: string }> = {
  unauthenticated: {
    status: 401,
    message: "Not authenticated",
    hint: "You were signed out. Your text is kept: sign in in another tab, then send it again.",
  },
  invalid: { status: 400, message: "Not sent." },
  denied: {
    status: 403,
    message: "Not sent.",
    hint: "You cannot do that here. If you just signed in, reload once.",
  },
  unreachable: {
    status: 503,
    message: "Not sent.",
    hint: "The room cannot be reached right now. Nothing was lost; try again.",
  },
};
