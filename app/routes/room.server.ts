import {
  data,
  redirect,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
} from "@remix-run/cloudflare";

import type { RoomView, SendReply } from "#app/features/chat/room-view.ts";
import { draftSchema } from "#app/schemas/message-schema.ts";
import { createMessageId } from "#app/schemas/message.ts";
import { getClock } from "#app/services/clock.server.ts";
import { readForm } from "#app/services/form.server.ts";
import type { PostOutcome } from "#app/services/room.server.ts";
import { getServices, getVisitor } from "#app/services/services.server.ts";
import { getText } from "./form-text.ts";

/** Reads the room for a page that shows the panel. */
export async function loadRoom({ request, context }: LoaderFunctionArgs): Promise<RoomView> {
  const { room, firebaseConfig } = getServices(context);
  return {
    messages: await room.list(),
    nextId: createMessageId(),
    clock: getClock(request, context),
    now: Date.now(),
    firebase: firebaseConfig,
  };
}

/**
 * Takes a message from the composer on any page that has one. Without scripts the answer leads back to
 * the page, at its newest message; a refusal is the page itself with what was typed.
 */
export async function sendMessage({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request);
  const { account, idToken, headers } = await getVisitor({ request, context });

  function refuse(refusal: keyof typeof REFUSALS, hint?: string) {
    const { status, ...words } = REFUSALS[refusal];
    const typed = { id: getText(form, "id"), text: getText(form, "text") };
    const id = draftSchema.shape.id.safeParse(typed.id).data ?? createMessageId();
    const reply: SendReply = { status: "refused", ...typed, id, ...words, ...(hint && { hint }) };
    return data(reply, { status, headers });
  }

  const draft = draftSchema.safeParse(Object.fromEntries(form));
  if (!account) return refuse("unauthenticated");
  if (!draft.success) return refuse("invalid", draft.error.issues[0]?.message);
  if (!idToken) return refuse("unreachable");

  const outcome = await getServices(context).room.post(account, idToken, draft.data);
  if (outcome.status !== "sent") return refuse(outcome.status);

  if (form.has("stay")) return data<SendReply>(outcome, { headers });
  const { pathname, search } = new URL(request.url);
  return redirect(`${pathname}${search}#newest`, { headers, status: 303 });
}

type RefusalKind = Exclude<PostOutcome["status"], "sent"> | "invalid";

const REFUSALS: Record<RefusalKind, { status: number; message: string; hint?: string }> = {
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
