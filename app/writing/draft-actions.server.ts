import type { ActionFunctionArgs } from "@remix-run/cloudflare";

import { createDocumentId } from "#app/firebase/document-id.ts";
import { getText } from "#app/http/form-text.ts";
import { namesOf, type Form } from "#app/http/form.server.ts";
import { describeWait } from "#app/session/retry-after.server.ts";
import { getSession, getVerifiedSession } from "#app/session/user.server.ts";
import { getWriteLimit, WRITE_LIMIT_WINDOW_MS } from "#app/session/write-limit.server.ts";
import { getPublishedStories } from "#app/stories/published.server.ts";
import {
  getDrafts,
  type DraftOutcome,
  type SaveTarget,
} from "#app/writing/drafts/drafts.server.ts";
import { getVersions } from "#app/writing/versions/versions.server.ts";
import type { Writer } from "#app/writing/writer.ts";
import { draftTargetSchema, findUnpublishable, manuscriptSchema } from "./draft-schema.ts";
import { MAX_STORY_LENGTH, type Manuscript } from "./draft.ts";
import type { DraftRefusal, DraftReply, OpenDraft } from "./editor-data.ts";

/** 500,000 characters of three bytes, which some forms send as `%E6%BC%A2`, and everything around them. */
export const MAX_DRAFT_BYTES = 5 * 1024 * 1024;

/** What the editor and the lists beside it send. */
export const DRAFT_FIELDS = [
  "intent",
  "uid",
  ...namesOf(draftTargetSchema),
  ...namesOf(manuscriptSchema.in),
  "storyId",
  "version",
] as const;
type DraftForm = Form<(typeof DRAFT_FIELDS)[number]>;

type Reason = DraftRefusal["reason"];

const REFUSALS: Record<Reason, { status: number; message: string; hint?: string }> = {
  unauthenticated: {
    status: 401,
    message: "Not saved.",
    hint: "You were signed out. Your text is safe. Sign in from another tab, then save again.",
  },
  invalid: { status: 400, message: "Not saved." },
  denied: {
    status: 403,
    message: "Not saved.",
    hint: "You can't do that here. Your text is still in the editor.",
  },
  "too-fast": {
    status: 429,
    message: "Not saved.",
    hint: "You're saving too often. Nothing was lost; try again in a minute.",
  },
  unreachable: {
    status: 503,
    message: "Not saved.",
    hint: "We can't reach your account right now. Nothing was lost; try again.",
  },
};

export interface DraftAnswer {
  reply: DraftReply;
  status: number;
  headers: Record<string, string>;
  typed: OpenDraft | null;
}

/** Does with a posted draft what its `intent` says, as whoever sends it, and tells what became of it. */
export async function answerDraft(args: ActionFunctionArgs, form: DraftForm): Promise<DraftAnswer> {
  const { user: account, headers } = await getVerifiedSession(args);
  const idToken = account?.idToken;
  const typed = readTypedDraft(form);

  function refuse(reason: Reason, hint?: string): DraftAnswer {
    const { status, ...words } = REFUSALS[reason];
    const isPublishing = reason === "invalid" && form.get("intent") === "publish";
    const isSettingAside = form.get("intent") === "set-aside";
    const kept = isSettingAside ? "Your text wasn't saved as an earlier version." : words.message;
    const message = isPublishing ? "Not published." : kept;
    const reply = { status: "refused", reason, ...words, message, ...(hint && { hint }) } as const;
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
  if (!(await getWriteLimit(args.context).admit(account.uid, "draft"))) {
    return wait(refuse("too-fast"), WRITE_LIMIT_WINDOW_MS);
  }

  const writer = { uid: account.uid, displayName: account.displayName, idToken };
  const { id, revision, overwrite } = target.data;
  const outcome = await act(args, form, {
    writer,
    target: { id, revision: overwrite ?? revision, isOverwrite: overwrite !== undefined },
    manuscript: manuscript.data,
  });
  getPublishedStories(args.context).clearList();
  if (outcome.status === "unfit") return refuse("invalid", outcome.hint);
  if (outcome.status === "saved") {
    // What was set aside is no longer what the editor holds.
    const rest = form.get("intent") === "set-aside" ? null : typed;
    return { reply: outcome, status: 200, headers, typed: rest };
  }
  if (outcome.status === "too-fast") {
    const { words } = describeWait(outcome.waitMs);
    const hint = `You can publish again in ${words}. Your text is still in the editor.`;
    // Not a reason to try again soon: the editor saves the text without publishing it.
    return wait({ ...refuse("invalid", hint), status: 429 }, outcome.waitMs);
  }
  if (outcome.status === "conflict") return { reply: outcome, status: 409, headers, typed };
  return refuse(outcome.status);
}

/** Says when to come back with what was refused. */
function wait(answer: DraftAnswer, ms: number): DraftAnswer {
  return { ...answer, headers: { ...answer.headers, ...describeWait(ms).retryAfter } };
}

interface Act {
  writer: Writer;
  target: SaveTarget;
  manuscript: Manuscript;
}

async function act(
  { context }: ActionFunctionArgs,
  form: DraftForm,
  { writer, target, manuscript }: Act,
): Promise<DraftOutcome | { status: "unfit"; hint: string }> {
  const drafts = getDrafts(context);
  const versions = getVersions(context);
  switch (form.get("intent")) {
    case "save":
    case "send":
    case "sign-out":
      return drafts.save(writer, target, manuscript);
    case "publish": {
      const hint = findUnpublishable(manuscript);
      return hint
        ? { status: "unfit", hint }
        : drafts.save(writer, target, manuscript, "published");
    }
    case "unpublish":
      return drafts.unpublish(writer, target, manuscript);
    case "set-aside":
      return drafts.setAside(writer, target, manuscript);
    case "remove":
      return drafts.setRemoved(writer, target.id, true);
    case "bring-back": {
      const outcome = await drafts.setRemoved(writer, target.id, false);
      return outcome.status === "denied"
        ? {
            status: "unfit",
            hint: "You deleted this draft more than a day ago, so it can't be restored.",
          }
        : outcome;
    }
    case "restore": {
      const version = await versions
        .open(writer, target.id, getText(form, "version"))
        .catch(() => "unreachable" as const);
      if (version === "unreachable") return { status: "unreachable" };
      return version
        ? drafts.save(writer, { id: target.id, revision: "latest" }, version, "restored")
        : { status: "unfit", hint: "This version doesn't exist." };
    }
    default:
      return { status: "unfit", hint: "The form is incomplete. Reload the page and try again." };
  }
}

/** Answers a form that was not even read, for it is larger than that of any story. */
export async function refuseLength(args: ActionFunctionArgs): Promise<DraftAnswer> {
  const { headers } = await getSession(args);
  const reason = "invalid";
  const { message } = REFUSALS[reason];
  const limit = MAX_STORY_LENGTH.toLocaleString("en");
  // Without scripts the words are on the page before this one.
  const hint = `A story can have up to ${limit} characters. Go back to your text and split it in two.`;
  return {
    reply: { status: "refused", reason, message, hint },
    status: 413,
    headers,
    typed: null,
  };
}

/** What was typed, whether it can be saved or not, so that nothing of it is lost. Not every form is the editor's. */
export function readTypedDraft(form: DraftForm): OpenDraft | null {
  if (!form.has("text")) return null;
  const target = draftTargetSchema.safeParse(Object.fromEntries(form)).data;
  return {
    id: target?.id ?? createDocumentId(),
    revision: target?.revision ?? 0,
    title: getText(form, "title"),
    description: getText(form, "description"),
    tags: getText(form, "tags")
      .split(",")
      .map((tag) => tag.trim()),
    cover: getText(form, "cover"),
    text: getText(form, "text").replaceAll(/\r\n?/g, "\n"),
    updatedAt: null,
    storyId: getText(form, "storyId") || null,
    publishedRevision: null,
    deletedAt: null,
  };
}
