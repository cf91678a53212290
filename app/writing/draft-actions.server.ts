import type { ActionFunctionArgs, AppLoadContext } from "@remix-run/cloudflare";

import { createDocumentId } from "#app/firebase/document-id.ts";
import { getText } from "#app/http/form.ts";
import { getFieldNames, type Form } from "#app/http/form.server.ts";
import type { ActionError } from "#app/session/action-result.ts";
import { describeWait } from "#app/session/rate-limit.server.ts";
import {
  ActionFailure,
  runAction,
  toActionError,
  type ActionWords,
} from "#app/session/run-action.server.ts";
import type { AuthUser } from "#app/session/user.ts";
import { findLanguage } from "#app/stories/languages.ts";
import { getPublishedStories } from "#app/stories/published.server.ts";
import type { DraftResult } from "./drafts/stored-draft.server.ts";
import { getDrafts, type SaveTarget } from "#app/writing/drafts/drafts.server.ts";
import { getVersions } from "#app/writing/versions/versions.server.ts";
import {
  findUnpublishable,
  findUnpublishableText,
  MAX_STORY_LENGTH,
  type DraftContent,
} from "./draft.ts";
import { draftContentSchema, draftTargetSchema } from "./draft-schema.ts";
import type { SaveResult, TypedDraft } from "./editor-data.ts";

/** Enough for 500,000 characters of three bytes, URL-encoded in some forms, and the other fields. */
export const MAX_DRAFT_BYTES = 5 * 1024 * 1024;

/** The fields of the editor and of the lists in the side panel. */
export const DRAFT_FIELDS = [
  "intent",
  "uid",
  ...getFieldNames(draftTargetSchema),
  ...getFieldNames(draftContentSchema.in),
  "isOngoing",
  "storyId",
  "version",
] as const;
type DraftForm = Form<(typeof DRAFT_FIELDS)[number]>;

/** @param message says what was not saved */
const toWords = (message: string): ActionWords => ({
  unauthenticated: {
    message,
    hint: "You were signed out. Your text is safe. Sign in from another tab, then save again.",
  },
  "other-user": {
    message,
    hint: "Someone else is signed in now. Your text is safe. Sign in to your account, then save again.",
  },
  invalid: { message },
  denied: {
    message,
    hint: "You don't have permission to do that. Your text is still in the editor.",
  },
  "too-fast": {
    message,
    hint: "You're saving too often. Nothing was lost; try again in a minute.",
  },
  unavailable: {
    message,
    hint: "We can't reach your account right now. Nothing was lost; try again.",
  },
});

export const IMPORT_WORDS = toWords("Not imported.");
const WORDS = toWords("Not saved.");
const VERSION_WORDS = toWords("Your text wasn't saved as an earlier version.");
const PUBLISHING_WORDS = { ...WORDS, invalid: { message: "Not published." } };

/** The intents that change what others can read. */
const PUBLISHING_INTENTS = new Set(["publish", "unpublish"]);

export interface DraftResponse {
  result: SaveResult;
  status: number;
  headers: HeadersInit;
  typed: TypedDraft | null;
}

/** Handles a posted draft by its `intent`, as the signed-in user. */
export async function handleDraft(
  args: ActionFunctionArgs,
  form: DraftForm,
): Promise<DraftResponse> {
  const typed = readTypedDraft(form);
  const intent = getText(form, "intent");
  const options = { uid: form.get("uid"), limit: "draft", words: getWords(intent) } as const;
  const run = await runAction(args, options, async (user) => {
    const { target, content } = parseDraft(form);
    if (!user.idToken) throw new ActionFailure({ reason: "unavailable" });
    const { id, revision, overwrite } = target;
    return changeDraft(args, form, {
      user,
      target: { id, revision: overwrite ?? revision, isOverwrite: overwrite !== undefined },
      content,
    });
  });
  const { error, value, status, headers } = run;
  if (error) return { result: error, status, headers, typed };
  if (value.status === "conflict") return { result: value, status: 409, headers, typed };
  // After `save-version` the editor shows the other text.
  return { result: value, status, headers, typed: intent === "save-version" ? null : typed };
}

function getWords(intent: string): ActionWords {
  if (intent === "save-version") return VERSION_WORDS;
  return intent === "publish" || intent === "review" ? PUBLISHING_WORDS : WORDS;
}

/** @throws {ActionFailure} with the first issue, and the field of the editor that it is about */
function parseDraft(form: DraftForm) {
  const fields = Object.fromEntries(form);
  const target = draftTargetSchema.safeParse(fields);
  if (!target.success) {
    throw new ActionFailure({ reason: "invalid", hint: target.error.issues[0]?.message });
  }
  const content = draftContentSchema.safeParse(fields);
  if (!content.success) {
    const [issue] = content.error.issues;
    const field = draftContentSchema.in.keyof().safeParse(issue?.path[0]).data;
    throw new ActionFailure({ reason: "invalid", hint: issue?.message, field });
  }
  return { target: target.data, content: content.data };
}

interface DraftChange {
  user: AuthUser;
  target: SaveTarget;
  content: DraftContent;
}

async function changeDraft(
  { context }: ActionFunctionArgs,
  form: DraftForm,
  change: DraftChange,
): Promise<Exclude<SaveResult, ActionError>> {
  const result = await callDrafts(context, form, change).finally(() => {
    if (PUBLISHING_INTENTS.has(getText(form, "intent"))) getPublishedStories(context).clearLists();
  });
  if (result.status === "denied") throw new ActionFailure({ reason: "denied" });
  if (result.status === "too-fast") {
    const { waitMs } = result;
    const hint = `You can publish again in ${describeWait(waitMs).words}. Your text is still in the editor.`;
    // Not `too-fast`, which the editor retries soon: it saves the text without publishing it.
    throw new ActionFailure({ reason: "invalid", hint, waitMs });
  }
  return result;
}

async function callDrafts(
  context: AppLoadContext,
  form: DraftForm,
  { user, target, content }: DraftChange,
): Promise<DraftResult> {
  const drafts = getDrafts(context);
  const versions = getVersions(context);
  switch (form.get("intent")) {
    case "save":
    case "import":
    case "send":
    case "sign-out":
      return drafts.save(user, target, content);
    case "review": {
      const error = findUnpublishableText(content.text);
      if (error) throw new ActionFailure({ reason: "invalid", ...error });
      return drafts.save(user, target, content);
    }
    case "publish": {
      const error = findUnpublishable(content);
      if (error) throw new ActionFailure({ reason: "invalid", ...error });
      const isOngoing = form.get("isOngoing") === "true";
      return drafts.save(user, target, content, "published", isOngoing);
    }
    case "unpublish":
      return drafts.unpublish(user, target, content);
    case "save-version":
      return drafts.saveVersion(user, target, content);
    case "trash":
      return drafts.trash(user, target.id);
    case "restore": {
      const result = await drafts.restore(user, target.id);
      if (result.status !== "denied") return result;
      const hint = "You deleted this draft more than a day ago, so it can't be restored.";
      throw new ActionFailure({ reason: "invalid", hint });
    }
    case "restore-version": {
      const version = await versions.open(user, target.id, getText(form, "version"));
      const hint = "This version doesn't exist.";
      if (!version) throw new ActionFailure({ reason: "invalid", hint });
      return drafts.save(user, { id: target.id, revision: "latest" }, version, "restored");
    }
    default: {
      const hint = "The form is incomplete. Reload the page and try again.";
      throw new ActionFailure({ reason: "invalid", hint });
    }
  }
}

/** Returns the response to a form that is larger than any story and was not read. */
export function rejectLongDraft(): DraftResponse {
  const limit = MAX_STORY_LENGTH.toLocaleString("en");
  // Without scripts the text is on the previous page.
  const hint = `A story can have up to ${limit} characters. Go back to your text and split it in two.`;
  return {
    result: toActionError({ reason: "invalid", hint }, WORDS),
    status: 413,
    headers: {},
    typed: null,
  };
}

/** Returns the typed text, valid or not, so that the page can show it again; `null` for forms without a text. */
export function readTypedDraft(form: DraftForm): TypedDraft | null {
  if (!form.has("text")) return null;
  const target = draftTargetSchema.safeParse(Object.fromEntries(form)).data;
  return {
    uid: getText(form, "uid") || undefined,
    intent: getText(form, "intent"),
    id: target?.id ?? createDocumentId(),
    revision: target?.revision ?? 0,
    title: getText(form, "title"),
    description: getText(form, "description"),
    tags: getText(form, "tags")
      .split(",")
      .map((tag) => tag.trim()),
    cover: getText(form, "cover"),
    language: findLanguage(form.get("language")),
    text: getText(form, "text"),
    updatedAt: null,
    storyId: getText(form, "storyId") || null,
    publishedRevision: null,
    isOngoing: form.get("isOngoing") === "true",
    deletedAt: null,
  };
}
