import { data, redirect, type ActionFunctionArgs } from "@remix-run/cloudflare";

import { signOut } from "#app/accounts/complete-sign-in.server.ts";
import type { UnsentMessage } from "#app/chat/message.ts";
import {
  createMessage,
  MESSAGE_FIELDS,
  readMessageInput,
  toMessageError,
} from "#app/chat/create-message.server.ts";
import { createDocumentId } from "#app/firebase/document-id.ts";
import { getText } from "#app/http/form.ts";
import { toForm, type Form } from "#app/http/form.server.ts";
import { MAX_PICTURE_BYTES, storePicture } from "#app/pictures/pictures.server.ts";
import { ActionFailure, runAction } from "#app/session/run-action.server.ts";
import { getUser } from "#app/session/user.server.ts";
import { getRateLimits } from "#app/session/rate-limit.server.ts";
import { getDirection, toLanguageAttributes } from "#app/stories/language-attributes.ts";
import { renderInSteps, runSteps } from "#app/stories/markdown.server.ts";
import {
  DRAFT_FIELDS,
  handleDraft,
  IMPORT_WORDS,
  MAX_DRAFT_BYTES,
  readTypedDraft,
  rejectLongDraft,
  type DraftResponse,
} from "./draft-actions.server.ts";
import { draftTargetSchema } from "./draft-schema.ts";
import {
  COVER_FILE_FIELD,
  MAX_STORY_LENGTH,
  IMPORT_FIELD,
  MAX_FILE_BYTES,
  type DraftHead,
} from "./draft.ts";
import type { EditorActionData, OpenDraft } from "./editor-data.ts";
import { ImportError, importText, type ImportedText } from "./import/import-text.ts";
import { describeLosses, formatLosses } from "./import/losses.ts";
import { findSideTab, IMPORTED_PARAM, NEW_PARAM, REVIEW_PARAM, toCreatePath } from "./side-tabs.ts";

/** Without scripts the editor's form also contains the fields of the chat panel. */
export const EDITOR_FIELDS = [...DRAFT_FIELDS, ...MESSAGE_FIELDS] as const;

/** The files of the editor's form: one to import, and the picture of the cover. */
export const EDITOR_FILES = [IMPORT_FIELD, COVER_FILE_FIELD] as const;

/** The editor's form, with its files. */
export const MAX_EDITOR_BYTES = MAX_DRAFT_BYTES + MAX_FILE_BYTES.server + MAX_PICTURE_BYTES;

export type EditorFormData = Form<(typeof EDITOR_FIELDS)[number]>;

/**
 * Handles a form of the Create page by its `intent`. Success redirects to the draft. All other results show the page again
 * with everything that was typed on it, including an unsent chat message.
 */
export async function handleEditorForm(
  args: ActionFunctionArgs,
  form: EditorFormData,
  files: Partial<Record<(typeof EDITOR_FILES)[number], Blob>> = {},
) {
  const cover = files[COVER_FILE_FIELD];
  const rejected = cover && (await storeCover(args, form, cover));
  if (rejected) return rejected;
  switch (form.get("intent")) {
    case "preview":
      return (await previewDraft(args, form)) ?? changeDraft(args, form);
    case "import":
      return saveAndImport(args, form, files[IMPORT_FIELD]);
    case "send":
      return saveAndSend(args, form);
    case "sign-out":
      return saveAndSignOut(args, form);
    default:
      return changeDraft(args, form);
  }
}

/** Returns the response to a form that is too large to be read. */
export function rejectLongForm() {
  return respond(rejectLongDraft(), undefined);
}

/** Stores the picture of the cover, and sets the cover to its path. Returns the response if it was not stored. */
async function storeCover(args: ActionFunctionArgs, form: EditorFormData, file: Blob) {
  const options = { uid: form.get("uid"), limit: "picture" } as const;
  const { error, value, status, headers } = await runAction(args, options, (user) =>
    storePicture(args.context, user, file),
  );
  if (!error) {
    form.set("cover", value);
    return undefined;
  }
  const result = { ...error, field: "cover" };
  return respond({ result, typed: readTypedDraft(form), status, headers }, readMessage(form));
}

async function changeDraft(args: ActionFunctionArgs, form: EditorFormData) {
  const response = await handleDraft(args, form);
  const { result, headers } = response;
  // A redirect would lose an unsent message.
  const message = readMessage(form);
  if (result.status !== "saved" || message) return respond(response, message);
  return redirect(toChangedPath(args.request, getText(form, "intent"), result.draft), {
    headers,
    status: 303,
  });
}

/** Returns where a successful change leads. A deletion leads back to the list, and to the draft that was open beside it. */
function toChangedPath({ url }: Request, intent: string, { id, revision }: DraftHead): string {
  if (intent === "publish") return `${toCreatePath(id, null)}&published#published`;
  if (intent === "review") return `${toCreatePath(id, null)}&${REVIEW_PARAM}#publish`;
  if (intent !== "trash") return toCreatePath(id, null);
  const open = draftTargetSchema.shape.id.safeParse(new URL(url).searchParams.get("draft")).data;
  const path = toCreatePath(open === undefined || open === id ? null : open, "drafts");
  return `${path}&trashed=${id}&revision=${revision}`;
}

/** Sends a chat message, but only after the story on the same page is saved. */
async function saveAndSend(args: ActionFunctionArgs, form: EditorFormData) {
  const typed = readTypedDraft(form);
  const saved = typed && !isBlank(typed) ? await handleDraft(args, form) : null;
  if (saved && saved.result.status !== "saved") {
    const reason = saved.result.status === "error" ? saved.result.reason : null;
    const isSignInNeeded = reason === "unauthenticated" || reason === "other-user";
    return respond(saved, toMessageError(form, isSignInNeeded ? reason : "draft-not-saved"));
  }
  const { error, status, headers } = await createMessage(args, form);
  if (error) return respond({ result: saved?.result ?? null, typed, status, headers }, error);
  const id = saved?.result.status === "saved" ? saved.result.draft.id : null;
  const { searchParams } = new URL(args.request.url);
  const path = toCreatePath(id, findSideTab(searchParams), searchParams.has(NEW_PARAM));
  return redirect(`${path}#newest`, { headers, status: 303 });
}

/** Makes a draft of a file, in the empty editor or, after what was typed there is saved, in a new one. */
async function saveAndImport(
  args: ActionFunctionArgs,
  form: EditorFormData,
  file: Blob | undefined,
) {
  const typed = readTypedDraft(form);
  const message = readMessage(form);
  const options = { uid: form.get("uid"), limit: "draft", words: IMPORT_WORDS } as const;
  // A visitor's file is not read.
  const run = await runAction(args, options, () => readImport(file));
  if (run.error) {
    const { error, status, headers } = run;
    return respond({ result: error, typed, status, headers }, message);
  }
  const isEmpty = !typed || isBlank(typed);
  const saved = isEmpty ? null : await handleDraft(args, form);
  if (saved && saved.result.status !== "saved") return respond(saved, message);
  const { title, text, losses } = run.value;
  const draft = toForm<(typeof EDITOR_FIELDS)[number]>([
    ["intent", "save"],
    ["uid", getText(form, "uid")],
    ["id", isEmpty && typed ? typed.id : createDocumentId()],
    ["revision", "0"],
    ["title", title],
    ["text", text],
  ]);
  const response = await handleDraft(args, draft);
  const { result, headers } = response;
  // The typed text of a draft that was just saved is safe, the imported one is not.
  if (result.status !== "saved") return respond(response, message);
  if (message) return respond(response, message, describeLosses(losses, "kept"));
  const path = `${toCreatePath(result.draft.id, null)}&${IMPORTED_PARAM}=${formatLosses(losses)}`;
  return redirect(path, { headers, status: 303 });
}

/** @throws {ActionFailure} with a sentence that says why there is no text */
async function readImport(file: Blob | undefined): Promise<ImportedText> {
  const refuse = (hint: string) => new ActionFailure({ reason: "invalid", hint });
  if (!file) throw refuse("Choose a file first. It can't be empty.");
  if (file.size > MAX_FILE_BYTES.server) {
    throw refuse(
      "That file is larger than 5 MB. Remove its pictures, or save it as plain text (.txt).",
    );
  }
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    return importText({ name: file instanceof File ? file.name : "", bytes });
  } catch (error) {
    throw error instanceof ImportError ? refuse(error.message) : error;
  }
}

/** Ends the session, but only after the story is saved. */
async function saveAndSignOut(args: ActionFunctionArgs, form: EditorFormData) {
  const typed = readTypedDraft(form);
  const saved = typed && !isBlank(typed) ? await handleDraft(args, form) : null;
  if (saved && saved.result.status !== "saved") return respond(saved, readMessage(form));
  const headers = await signOut(args);
  return redirect("/create", { headers, status: 303 });
}

/** Returns a preview and the typed text; `null` for text that could not be saved either. */
async function previewDraft(args: ActionFunctionArgs, form: EditorFormData) {
  const { user, headers } = await getUser(args);
  const typed = readTypedDraft(form);
  if (!user || !typed || typed.text.length > MAX_STORY_LENGTH) return null;
  if (!(await getRateLimits(args.context).consume("draft", user.uid))) return null;
  const { text, language } = typed;
  const { html } = await runSteps(renderInSteps(text, getDirection(language)));
  return respond(
    {
      result: { status: "preview", html, ...toLanguageAttributes(language) },
      typed,
      status: 200,
      headers,
    },
    readMessage(form),
  );
}

type FormResponse = Omit<DraftResponse, "result"> & Pick<EditorActionData, "result">;

function respond(
  { result, typed, ...init }: FormResponse,
  message: EditorActionData["message"],
  notKept?: string[],
) {
  return data<EditorActionData>({ result, typed, message, notKept }, init);
}

/** Whether nothing was ever typed. A saved draft that was emptied is not blank, because that change must be saved. */
function isBlank({ revision, title, text, description, tags, cover }: OpenDraft): boolean {
  return (
    revision === 0 && `${title}${text}${description}${tags.join("")}${cover ?? ""}`.trim() === ""
  );
}

/** Returns the unsent chat message, if there is one. */
function readMessage(form: EditorFormData): UnsentMessage | undefined {
  const input = readMessageInput(form);
  return input.text.trim() === "" ? undefined : { ...input, status: "unsent" };
}
