import { hasStatus, postForm } from "#app/http/fetch-json.ts";
import type { SaveResult } from "#app/writing/editor-data.ts";
import type { DraftFields } from "./draft-fields.ts";
import type { SaveIntent } from "./state.ts";

/** A request that saves a draft to the account. */
export interface DraftPost {
  /** `save-version` saves the text as an earlier version, and leaves the draft as it is. */
  intent: SaveIntent | "save-version";
  /** The user of the draft. The server rejects it if another user has signed in meanwhile. */
  uid: string;
  id: string;
  /** The revision it is based on. */
  revision: number;
  /** Whether the user has resolved a conflict with that revision. The other text becomes a version. */
  isOverwrite: boolean;
  fields: DraftFields;
  /** Whether the story is published as one that is still being written. */
  isOngoing?: boolean;
}

/** Saves a draft. Never throws: every failure is a result. */
export async function postDraft({
  intent,
  uid,
  id,
  revision,
  isOverwrite,
  fields,
  isOngoing = false,
}: DraftPost): Promise<SaveResult> {
  const form = new FormData();
  const values = { intent, uid, id, revision: String(revision), ...fields };
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) form.append(name, value);
  }
  if (isOngoing) form.append("isOngoing", "true");
  if (isOverwrite) form.append("overwrite", String(revision));
  const posted = await postForm("/drafts", form);
  return posted.status === "responded" && isSaveResult(posted.body) ? posted.body : UNAVAILABLE;
}

const UNAVAILABLE = {
  status: "error",
  reason: "unavailable",
  message: "Not saved to your account yet.",
  hint: "We can't reach your account right now. Nothing was lost; we'll save it as soon as we can.",
} as const;

function isSaveResult(body: unknown): body is SaveResult {
  return hasStatus(body, ["saved", "conflict", "error"]);
}
