import type { ActionError } from "#app/session/action-result.ts";
import type { OpenDraft, SaveResult } from "#app/writing/editor-data.ts";
import { areSameFields, toFields } from "./draft-fields.ts";
import { continueWithRemote, startRequest, waitToRetry } from "./saving.ts";
import { FIRST_RETRY_MS } from "./state.ts";
import { emit, stopTimer, update, updateStatus, type Step } from "./step.ts";

/** Shown while the remote text is chosen but the user's own text is not yet saved as an earlier version. */
const WAITING: ActionError = {
  status: "error",
  reason: "unavailable",
  message: "The other text opens as soon as we can reach your account.",
  hint: "Your text is saved as an earlier version first. If you keep writing, nothing is replaced.",
};

/** Offers both texts. Clears an earlier choice, which does not apply to a later remote text. */
export function openConflict(step: Step, conflict: OpenDraft): void {
  stopTimer(step, "retry");
  update(step, { isOverwrite: false, remoteChoice: null });
  updateStatus(step, { conflict, error: null });
}

/** Saves the user's own text over the remote one. */
export function overwriteRemote(step: Step): void {
  const { conflict } = step.state.status;
  if (!conflict) return;
  update(step, { intent: "save", isOverwrite: true, base: null, remoteChoice: null });
  updateStatus(step, { conflict: null, revision: conflict.revision, error: null });
  startRequest(step);
}

/** Replaces the user's own text with the remote one, once the user's text is saved as an earlier version. */
export function replaceWithRemote(step: Step): void {
  const { conflict } = step.state.status;
  if (!conflict) return;
  update(step, { intent: "save" });
  if (areSameFields(step.state.fields, toFields(conflict))) replaceWith(step, conflict);
  else if (!step.state.remoteChoice) postVersion(step);
}

/** Sends the user's own text to be saved as an earlier version. Nothing is replaced before that. */
export function postVersion(step: Step): void {
  const { fields, nextKey: key, status, remoteChoice } = step.state;
  stopTimer(step, "retry");
  if (!status.conflict || remoteChoice?.key) return;
  update(step, { nextKey: key + 1, remoteChoice: { key } });
  const { revision } = status.conflict;
  const version = { intent: "save-version", revision, isOverwrite: true, fields } as const;
  emit(step, { type: "post", key, post: version });
}

/** Handles the response to `postVersion`. */
export function onVersionResult(step: Step, result: SaveResult): void {
  const { conflict } = step.state.status;
  if (result.status === "saved" && conflict) return replaceWith(step, conflict);
  if (result.status === "error" && result.reason !== "unavailable") {
    update(step, { remoteChoice: null });
    return updateStatus(step, { error: result });
  }
  update(step, { remoteChoice: { key: null } });
  updateStatus(step, { error: WAITING });
  waitToRetry(step);
}

function replaceWith(step: Step, draft: OpenDraft): void {
  update(step, { isOverwrite: false, retryMs: FIRST_RETRY_MS });
  continueWithRemote(step, {
    ...draft,
    fields: toFields(draft),
    savedAt: draft.updatedAt ?? step.at,
  });
}

/** Cancels the choice of the remote text, which does not apply to text that was typed after it. */
export function cancelRemoteChoice(step: Step): void {
  if (!step.state.remoteChoice) return;
  update(step, { remoteChoice: null });
  if (step.state.status.error === WAITING) updateStatus(step, { error: null });
}
