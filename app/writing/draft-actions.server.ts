import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import type * as z from "zod";

import { createDocumentId } from "#app/firebase/document-id.ts";
import { getText } from "#app/http/form-text.ts";
import { getFieldNames, type Form } from "#app/http/form.server.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { describeWait } from "#app/session/retry-after.server.ts";
import { isFromUser } from "#app/session/same-user.ts";
import { getUser } from "#app/session/user.server.ts";
import type { AuthUser } from "#app/session/user.ts";
import { getRateLimits, RATE_LIMIT_WINDOW_MS } from "#app/session/rate-limit.server.ts";
import { getPublishedStories } from "#app/stories/published.server.ts";
import type { DraftResult } from "#app/writing/drafts/draft-result.server.ts";
import { getDrafts, type SaveTarget } from "#app/writing/drafts/drafts.server.ts";
import { getVersions } from "#app/writing/versions/versions.server.ts";
import { findUnpublishable, findUnpublishableText } from "./draft-errors.ts";
import { draftContentSchema, draftTargetSchema } from "./draft-schema.ts";
import { MAX_STORY_LENGTH, type DraftContent } from "./draft.ts";
import type { SaveError, SaveResult, OpenDraft } from "./editor-data.ts";

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

type Reason = SaveError["reason"];

const ERRORS: Record<Reason, { status: number; message: string; hint?: string }> = {
  unauthenticated: {
    status: 401,
    message: "Not saved.",
    hint: "You were signed out. Your text is safe. Sign in from another tab, then save again.",
  },
  "other-user": {
    status: 401,
    message: "Not saved.",
    hint: "Someone else is signed in now. Your text is safe. Sign in to your account, then save again.",
  },
  invalid: { status: 400, message: "Not saved." },
  denied: {
    status: 403,
    message: "Not saved.",
    hint: "You don't have permission to do that. Your text is still in the editor.",
  },
  "too-fast": {
    status: 429,
    message: "Not saved.",
    hint: "You're saving too often. Nothing was lost; try again in a minute.",
  },
  unavailable: {
    status: 503,
    message: "Not saved.",
    hint: "We can't reach your account right now. Nothing was lost; try again.",
  },
};

/** The intents that change what others can read. */
const PUBLISHING_INTENTS = new Set(["publish", "unpublish"]);

export interface DraftResponse {
  result: SaveResult;
  status: number;
  headers: Record<string, string>;
  typed: OpenDraft | null;
}

/** Handles a posted draft by its `intent`, as the signed-in user. */
export async function handleDraft(
  args: ActionFunctionArgs,
  form: DraftForm,
): Promise<DraftResponse> {
  const { user, headers } = await getUser(args);
  const typed = readTypedDraft(form);

  function reject(reason: Reason, error?: Pick<SaveError, "hint" | "field">): DraftResponse {
    const { status, ...text } = ERRORS[reason];
    const isPublishing =
      reason === "invalid" && ["publish", "review"].includes(getText(form, "intent"));
    const isVersion = form.get("intent") === "save-version";
    const notSaved = isVersion ? "Your text wasn't saved as an earlier version." : text.message;
    const message = isPublishing ? "Not published." : notSaved;
    const result = { status: "error", reason, ...text, message, ...error } as const;
    return { result, status, headers, typed };
  }

  const target = draftTargetSchema.safeParse(Object.fromEntries(form));
  const content = draftContentSchema.safeParse(Object.fromEntries(form));
  if (!user) return reject("unauthenticated");
  // The text must not be saved to another user's account.
  if (!isFromUser(form, user)) return reject("other-user");
  if (!target.success) return reject("invalid", { hint: target.error.issues[0]?.message });
  if (!content.success) return reject("invalid", toFieldError(content.error));
  if (!user.idToken) return reject("unavailable");
  if (!(await getRateLimits(args.context).consume("draft", user.uid))) {
    return withRetryAfter(reject("too-fast"), RATE_LIMIT_WINDOW_MS);
  }

  const { id, revision, overwrite } = target.data;
  const intent = getText(form, "intent");
  const isPublic = PUBLISHING_INTENTS.has(intent);
  const outcome = await changeDraft(args, form, {
    user,
    target: { id, revision: overwrite ?? revision, isOverwrite: overwrite !== undefined },
    content: content.data,
  }).catch(toUnavailable);
  if (isPublic) getPublishedStories(args.context).clearLists();
  if (outcome.status === "invalid") {
    const { status: _, ...error } = outcome;
    return reject("invalid", error);
  }
  if (outcome.status === "saved") {
    // After `save-version` the editor shows the other text.
    const shownDraft = form.get("intent") === "save-version" ? null : typed;
    return { result: outcome, status: 200, headers, typed: shownDraft };
  }
  if (outcome.status === "too-fast") {
    const { words } = describeWait(outcome.waitMs);
    const hint = `You can publish again in ${words}. Your text is still in the editor.`;
    // Not `too-fast`, which the editor retries soon: it saves the text without publishing it.
    return withRetryAfter({ ...reject("invalid", { hint }), status: 429 }, outcome.waitMs);
  }
  if (outcome.status === "conflict") return { result: outcome, status: 409, headers, typed };
  return reject(outcome.status);
}

/** Returns the first issue, and the field that it is about. */
function toFieldError({
  issues: [issue],
}: z.ZodError<DraftContent>): Pick<SaveError, "hint" | "field"> {
  const field = draftContentSchema.in.keyof().safeParse(issue?.path[0]).data;
  return { ...(issue && { hint: issue.message }), ...(field && { field }) };
}

/** Adds the `Retry-After` header. */
function withRetryAfter(response: DraftResponse, ms: number): DraftResponse {
  return { ...response, headers: { ...response.headers, ...describeWait(ms).retryAfter } };
}

function toUnavailable(error: unknown): { status: "unavailable" } {
  if (!(error instanceof UnavailableError)) throw error;
  return { status: "unavailable" };
}

interface DraftChange {
  user: AuthUser;
  target: SaveTarget;
  content: DraftContent;
}

async function changeDraft(
  { context }: ActionFunctionArgs,
  form: DraftForm,
  { user, target, content }: DraftChange,
): Promise<DraftResult | ({ status: "invalid" } & Pick<SaveError, "hint" | "field">)> {
  const drafts = getDrafts(context);
  const versions = getVersions(context);
  switch (form.get("intent")) {
    case "save":
    case "send":
    case "sign-out":
      return drafts.save(user, target, content);
    case "review": {
      const error = findUnpublishableText(content.text);
      return error ? { status: "invalid", ...error } : drafts.save(user, target, content);
    }
    case "publish": {
      const error = findUnpublishable(content);
      if (error) return { status: "invalid", ...error };
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
      const outcome = await drafts.restore(user, target.id);
      return outcome.status === "denied"
        ? {
            status: "invalid",
            hint: "You deleted this draft more than a day ago, so it can't be restored.",
          }
        : outcome;
    }
    case "restore-version": {
      const version = await versions.open(user, target.id, getText(form, "version"));
      return version
        ? drafts.save(user, { id: target.id, revision: "latest" }, version, "restored")
        : { status: "invalid", hint: "This version doesn't exist." };
    }
    default:
      return { status: "invalid", hint: "The form is incomplete. Reload the page and try again." };
  }
}

/** Returns the response to a form that is larger than any story and was not read. */
export function rejectLongDraft(): DraftResponse {
  const reason = "invalid";
  const { message } = ERRORS[reason];
  const limit = MAX_STORY_LENGTH.toLocaleString("en");
  // Without scripts the text is on the previous page.
  const hint = `A story can have up to ${limit} characters. Go back to your text and split it in two.`;
  return {
    result: { status: "error", reason, message, hint },
    status: 413,
    headers: {},
    typed: null,
  };
}

/** Returns the typed text, valid or not, so that the page can show it again; `null` for forms without a text. */
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
    isOngoing: form.get("isOngoing") === "true",
    deletedAt: null,
  };
}
