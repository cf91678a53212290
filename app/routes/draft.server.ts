import { data, redirect, type ActionFunctionArgs } from "@remix-run/cloudflare";

import type {
  DeskReply,
  DraftRefusal,
  DraftReply,
  OpenDraft,
} from "#app/features/write/desk-view.ts";
import { MAX_STORY_LENGTH, type Manuscript } from "#app/schemas/draft.ts";
import {
  draftTargetSchema,
  findUnpublishable,
  manuscriptSchema,
} from "#app/schemas/manuscript-schema.ts";
import { createDocumentId } from "#app/schemas/document-id.ts";
import type { DraftOutcome, SaveTarget, Writer } from "#app/services/drafts.server.ts";
import { leave } from "#app/services/entrance.server.ts";
import { renderMarkdown } from "#app/services/markdown.server.ts";
import { getActor, getServices } from "#app/services/services.server.ts";
import { getText } from "./form-text.ts";

/** 500,000 characters of at most three bytes, and everything around them. */
export const MAX_DRAFT_BYTES = 2 * 1024 * 1024;

type Reason = DraftRefusal["reason"];

const REFUSALS: Record<Reason, { status: number; message: string; hint?: string }> = {
  unauthenticated: {
    status: 401,
    message: "Not saved.",
    hint: "You were signed out. Your text is kept: sign in in another tab, then save again.",
  },
  invalid: { status: 400, message: "Not saved." },
  denied: {
    status: 403,
    message: "Not saved.",
    hint: "You cannot do that here. Your text is still in the editor.",
  },
  unreachable: {
    status: 503,
    message: "Not saved.",
    hint: "Your account cannot be reached right now. Nothing was lost; try again.",
  },
};

interface Answer {
  reply: DraftReply;
  status: number;
  headers: Record<string, string>;
  typed: OpenDraft | null;
}

/** Does with a posted draft what its `intent` says, as whoever sends it, and tells what became of it. */
export async function answerDraft(args: ActionFunctionArgs, form: FormData): Promise<Answer> {
  const { account, idToken, headers } = await getActor(args);
  const typed = readTyped(form);

  function refuse(reason: Reason, hint?: string): Answer {
    const { status, ...words } = REFUSALS[reason];
    const reply = { status: "refused", reason, ...words, ...(hint && { hint }) } as const;
    return { reply, status, headers, typed };
  }

  const target = draftTargetSchema.safeParse(Object.fromEntries(form));
  const manuscript = manuscriptSchema.safeParse(Object.fromEntries(form));
  // Somebody else may have signed in beside an editor that was left open: nothing goes into their account.
  const isWriter = account !== null && (form.get("uid") ?? account.uid) === account.uid;
  if (!isWriter) return refuse("unauthenticated");
  if (!target.success) return refuse("invalid", target.error.issues[0]?.message);
  if (!manuscript.success) return refuse("invalid", manuscript.error.issues[0]?.message);
  if (!idToken) return refuse("unreachable");

  const writer = { uid: account.uid, displayName: account.displayName, idToken };
  const outcome = await act(args, form, {
    writer,
    target: target.data,
    manuscript: manuscript.data,
  });
  if (outcome.status === "unfit") return refuse("invalid", outcome.hint);
  if (outcome.status === "saved") return { reply: outcome, status: 200, headers, typed };
  if (outcome.status === "conflict") return { reply: outcome, status: 409, headers, typed };
  return refuse(outcome.status);
}

/**
 * The same for a page: what was done leads back to the draft, and anything else is the page itself with what was typed.
 */
export async function changeDraft(args: ActionFunctionArgs, form: FormData) {
  const preview = form.get("intent") === "preview" ? await previewDraft(args, form) : null;
  if (preview) return preview;
  if (form.get("intent") === "sign-out") return saveAndSignOut(args, form);
  const { reply, status, headers, typed } = await answerDraft(args, form);
  if (reply.status !== "saved") return data<DeskReply>({ reply, typed }, { status, headers });
  const { id, revision } = reply.draft;
  const isRemoved = form.get("intent") === "remove";
  const query = isRemoved ? `removed=${id}&revision=${revision}` : `draft=${id}`;
  return redirect(`/create?${query}`, { headers, status: 303 });
}

/** Ends the session, but not before what was written is in the account. */
async function saveAndSignOut(args: ActionFunctionArgs, form: FormData) {
  const isEmpty = getText(form, "title").trim() === "" && getText(form, "text").trim() === "";
  if (!isEmpty) {
    form.set("intent", "save");
    const { reply, status, headers, typed } = await answerDraft(args, form);
    if (reply.status !== "saved") return data<DeskReply>({ reply, typed }, { status, headers });
  }
  const headers = await leave(args);
  return redirect("/create", { headers, status: 303 });
}

/** Answers with the page as it was typed and how it would be read. `null` for what is refused like a save. */
async function previewDraft(args: ActionFunctionArgs, form: FormData) {
  const { account, headers } = await getActor(args);
  const typed = readTyped(form);
  if (!account || !typed || typed.text.length > MAX_STORY_LENGTH) return null;
  const { html } = renderMarkdown(typed.text);
  return data<DeskReply>({ reply: { status: "preview", html }, typed }, { headers });
}

interface Act {
  writer: Writer;
  target: SaveTarget;
  manuscript: Manuscript;
}

async function act(
  { context }: ActionFunctionArgs,
  form: FormData,
  { writer, target, manuscript }: Act,
): Promise<DraftOutcome | { status: "unfit"; hint: string }> {
  const { drafts, versions } = getServices(context);
  switch (form.get("intent")) {
    case "save":
      return drafts.save(writer, target, manuscript);
    case "publish": {
      const hint = findUnpublishable(manuscript);
      return hint
        ? { status: "unfit", hint }
        : drafts.save(writer, target, manuscript, "published");
    }
    case "unpublish":
      return drafts.unpublish(writer, target, manuscript);
    case "remove":
      return drafts.setRemoved(writer, target.id, true);
    case "bring-back": {
      const outcome = await drafts.setRemoved(writer, target.id, false);
      return outcome.status === "denied"
        ? { status: "unfit", hint: "It was deleted more than a day ago, and is gone for good." }
        : outcome;
    }
    case "restore": {
      const version = await versions
        .open(writer, target.id, getText(form, "version"))
        .catch(() => "unreachable" as const);
      if (version === "unreachable") return { status: "unreachable" };
      return version
        ? drafts.save(writer, { id: target.id, revision: "latest" }, version, "restored")
        : { status: "unfit", hint: "There is no such version." };
    }
    default:
      return { status: "unfit", hint: "The form is incomplete. Reload the page and try again." };
  }
}

/** What was typed, whether it can be saved or not, so that nothing of it is lost. Not every form is the editor's. */
function readTyped(form: FormData): OpenDraft | null {
  if (!form.has("text")) return null;
  const target = draftTargetSchema.safeParse(Object.fromEntries(form)).data;
  return {
    id: target?.id ?? createDocumentId(),
    revision: target?.revision ?? 0,
    title: getText(form, "title"),
    description: getText(form, "description"),
    tags: getText(form, "tags").split(","),
    cover: getText(form, "cover"),
    text: getText(form, "text").replaceAll(/\r\n?/g, "\n"),
    updatedAt: null,
    storyId: getText(form, "storyId") || null,
    publishedRevision: null,
  };
}
