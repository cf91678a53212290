import { data, redirect, type ActionFunctionArgs } from "@remix-run/cloudflare";

import { leave } from "#app/accounts/complete-sign-in.server.ts";
import type { Refusal, TypedMessage } from "#app/chat/room-data.ts";
import {
  answerMessage,
  readTypedMessage,
  refuseMessage,
  type MessageForm,
} from "#app/chat/room.server.ts";
import { getText } from "#app/http/form-text.ts";
import { toForm, type Form } from "#app/http/form.server.ts";
import { getVerifiedSession } from "#app/session/user.server.ts";
import { getWriteLimit } from "#app/session/write-limit.server.ts";
import { renderMarkdown } from "#app/stories/markdown.server.ts";
import {
  answerDraft,
  DRAFT_FIELDS,
  readTypedDraft,
  refuseLength,
  type DraftAnswer,
} from "./draft-actions.server.ts";
import { MAX_STORY_LENGTH } from "./draft.ts";
import type { DeskReply, OpenDraft } from "./editor-data.ts";

/** What the page sends: without scripts the editor's form holds the composer's fields as well. */
export const DESK_FIELDS = [...DRAFT_FIELDS, "message", "messageId", "messageUid"] as const;
export type DeskForm = Form<(typeof DESK_FIELDS)[number]>;

/**
 * Does what the posted page asks for with its `intent`. What was done leads back to the draft; anything else is the page
 * itself with all that was typed on it. Without scripts the editor's form holds what is written in the room as well.
 */
export async function changeDesk(args: ActionFunctionArgs, form: DeskForm) {
  switch (form.get("intent")) {
    case "preview":
      return (await previewDraft(args, form)) ?? changeDraft(args, form);
    case "send":
      return saveAndSend(args, form);
    case "sign-out":
      return saveAndSignOut(args, form);
    default:
      return changeDraft(args, form);
  }
}

/** Answers a page that is too large to be read. */
export async function refuseDesk(args: ActionFunctionArgs) {
  return comeBack(await refuseLength(args), undefined);
}

async function changeDraft(args: ActionFunctionArgs, form: DeskForm) {
  const answer = await answerDraft(args, form);
  const { reply, headers } = answer;
  // A redirect would forget a message that is only half written.
  const message = readMessage(form);
  if (reply.status !== "saved" || message) return comeBack(answer, message);
  const { id, revision } = reply.draft;
  const queries: Record<string, string> = {
    remove: `removed=${id}&revision=${revision}`,
    publish: `draft=${id}&published#published`,
  };
  const query = queries[getText(form, "intent")] ?? `draft=${id}`;
  return redirect(`/create?${query}`, { headers, status: 303 });
}

/** Says something in the room, but not before what was written beside it is in the account. */
async function saveAndSend(args: ActionFunctionArgs, form: DeskForm) {
  const typed = readTypedDraft(form);
  const saved = typed && !isBlank(typed) ? await answerDraft(args, form) : null;
  const message = toMessageForm(form);
  if (saved && saved.reply.status !== "saved") {
    const { reply } = saved;
    const isNobody = reply.status === "refused" && reply.reason === "unauthenticated";
    return comeBack(saved, refuseMessage(message, isNobody ? "unauthenticated" : "held"));
  }
  const { reply, status, headers } = await answerMessage(args, message);
  if (reply.status === "refused") {
    return comeBack({ reply: saved?.reply ?? null, typed, status, headers }, reply);
  }
  const query = saved?.reply.status === "saved" ? `?draft=${saved.reply.draft.id}` : "";
  return redirect(`/create${query}#newest`, { headers, status: 303 });
}

/** Ends the session, but not before what was written is in the account. */
async function saveAndSignOut(args: ActionFunctionArgs, form: DeskForm) {
  const typed = readTypedDraft(form);
  const saved = typed && !isBlank(typed) ? await answerDraft(args, form) : null;
  if (saved && saved.reply.status !== "saved") return comeBack(saved, readMessage(form));
  const headers = await leave(args);
  return redirect("/create", { headers, status: 303 });
}

/** Answers with the page as it was typed and how it would be read. `null` for what is refused like a save. */
async function previewDraft(args: ActionFunctionArgs, form: DeskForm) {
  const { user: account, headers } = await getVerifiedSession(args);
  const typed = readTypedDraft(form);
  if (!account || !typed || typed.text.length > MAX_STORY_LENGTH) return null;
  if (!(await getWriteLimit(args.context).admit(account.uid, "draft"))) return null;
  const { html } = renderMarkdown(typed.text);
  return comeBack(
    { reply: { status: "preview", html }, typed, status: 200, headers },
    readMessage(form),
  );
}

type Return = Omit<DraftAnswer, "reply"> & Pick<DeskReply, "reply">;

function comeBack({ reply, typed, ...init }: Return, message: DeskReply["message"]) {
  return data<DeskReply>({ reply, typed, message }, init);
}

/** Whether nothing has been written yet. What was emptied is a change like any other. */
function isBlank({ revision, title, text, description, tags, cover }: OpenDraft): boolean {
  return (
    revision === 0 && `${title}${text}${description}${tags.join("")}${cover ?? ""}`.trim() === ""
  );
}

/** The message that was being written in the room meanwhile, if there is one. */
function readMessage(form: DeskForm): Refusal | TypedMessage | undefined {
  const message = readTypedMessage(toMessageForm(form));
  return message.text.trim() === "" ? undefined : { ...message, status: "typed" };
}

/** Returns the part of the page's form that the composer has filled in, as its own form would send it. */
function toMessageForm(form: DeskForm): MessageForm {
  return toForm([
    ["id", getText(form, "messageId")],
    ["text", getText(form, "message")],
    ["uid", getText(form, "messageUid")],
  ]);
}
