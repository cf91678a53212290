import type { ActionError } from "#app/session/action-result.ts";
import type { OpenDraft } from "#app/writing/editor-data.ts";
import { createFingerprint, type DraftFields } from "./draft-fields.ts";
import {
  FIRST_RETRY_MS,
  hasUnsavedChanges,
  isLasting,
  isPending,
  type SavedDraft,
  type SaveRequest,
} from "./state.ts";
import { emit, schedule, startTimer, stopTimer, update, updateStatus, type Step } from "./step.ts";

/** The pause in typing before a save, and the longest time until a save without a pause. */
export const LOCAL_DELAY = { pauseMs: 400, maxMs: 900 };
export const ACCOUNT_DELAY = { pauseMs: 2000, maxMs: 4000 };

const LONGEST_RETRY_MS = 60_000;

/** Saves unsaved changes to the account. Changes that were undone before they were sent need no save. */
export function saveChanges(step: Step): void {
  if (isPending(step.state)) return startRequest(step);
  stopTimer(step, "account");
  if (!step.state.status.conflict && !step.state.request) markSaved(step);
}

/** Sends a save, unless a conflict is open or a request is running. After a running request the next save follows. */
export function startRequest(step: Step): void {
  stopTimer(step, "account");
  stopTimer(step, "retry");
  if (!step.state.status.conflict && !step.state.request) post(step);
}

/** Sends the text in the form, which stays unacknowledged until it is in the account. */
export function post(step: Step, publishError: ActionError | null = null): void {
  const { fields, intent, status, isOverwrite, nextKey: key, timers } = step.state;
  const sent = createFingerprint(fields);
  update(step, {
    intent: "save",
    nextKey: key + 1,
    request: { key, intent, isIntentKept: true, fields, publishError },
    unacknowledged: [...step.state.unacknowledged.filter((one) => one !== sent), sent],
  });
  // After a crash, the local copy shows which texts the server may have saved.
  const isLocal = timers.local !== undefined || status.savedTo === "device";
  if (isLocal || hasUnsavedChanges(step.state)) saveLocally(step);
  emit(step, {
    type: "post",
    key,
    post: { intent, revision: status.revision, isOverwrite, fields },
  });
}

/** Records that the account contains these fields. */
export function acknowledge(step: Step, saved: DraftFields, draft: Omit<OpenDraft, "text">): void {
  const { revision, publishedRevision, storyId, isOngoing, updatedAt } = draft;
  update(step, {
    saved,
    base: createFingerprint(saved),
    accountSavedAt: updatedAt,
    unacknowledged: [],
    remoteChoice: null,
    isOverwrite: false,
    retryMs: FIRST_RETRY_MS,
  });
  const account = { revision, publishedRevision, storyId };
  // A form that was not published may say something else than the story does.
  const isPublished = publishedRevision !== step.state.status.publishedRevision;
  updateStatus(step, {
    ...account,
    ...(isPublished && { isOngoing }),
    error: null,
    conflict: null,
  });
  if (!hasUnsavedChanges(step.state)) return markSaved(step);
  // From now on the local copy must be based on this save.
  saveLocally(step);
  schedule(step, "account", ACCOUNT_DELAY);
}

/** Records that everything in the form is in the account, and deletes the local copy. */
function markSaved(step: Step): void {
  stopTimer(step, "local");
  emit(step, { type: "deleteLocal" });
  const { accountSavedAt: savedAt, status } = step.state;
  const savedTo = status.revision > 0 ? "account" : "nowhere";
  updateStatus(step, { savedTo, savedAt, error: null });
}

/** Retries a failed save. Its text stays unacknowledged, because the failed request may still arrive. */
export function scheduleRetry(step: Step, error: ActionError, request: SaveRequest): void {
  saveLocally(step);
  updateStatus(step, { error });
  if (isLasting(error, request.intent)) return update(step, { intent: "save" });
  restoreIntent(step, request);
  waitToRetry(step);
}

/** Restores the intent of a failed save for the next one, unless the user has chosen or cancelled something since. */
export function restoreIntent(step: Step, { intent, isIntentKept }: SaveRequest): void {
  if (isIntentKept && step.state.intent === "save") update(step, { intent });
}

/** Sends no further publication. The one that is being sent may succeed, but is not retried. */
export function cancelPublication(step: Step): void {
  const { intent, request } = step.state;
  if (intent === "publish") update(step, { intent: "save" });
  if (request?.intent === "publish") update(step, { request: { ...request, isIntentKept: false } });
}

/** Schedules a retry. Each failure in a row doubles the delay. */
export function waitToRetry(step: Step): void {
  const { retryMs } = step.state;
  update(step, { retryMs: Math.min(retryMs * 2, LONGEST_RETRY_MS) });
  startTimer(step, "retry", retryMs);
}

/** Continues with a text that was saved elsewhere. Call it only without unsaved changes. */
export function continueWithRemote(step: Step, { fields, savedAt, ...saved }: SavedDraft): void {
  const { revision, publishedRevision, storyId, isOngoing } = saved;
  const base = createFingerprint(fields);
  const confirmed = { saved: fields, base, accountSavedAt: savedAt, unacknowledged: [] };
  update(step, { ...confirmed, fields, remoteChoice: null });
  updateStatus(step, { revision, publishedRevision, storyId, isOngoing, conflict: null });
  stopTimer(step, "account");
  markSaved(step);
  emit(step, { type: "replaceFields", fields });
}

/** Saves the text in the form in this browser. */
export function saveLocally(step: Step): void {
  stopTimer(step, "local");
  const { fields, status, isOverwrite, base, unacknowledged, isStopped } = step.state;
  const sent = base === null ? unacknowledged : [base, ...unacknowledged];
  const draft = { fields, revision: status.revision, isOverwrite, sent, at: step.at };
  emit(step, { type: "saveLocally", draft, isOwnOnly: isStopped });
}
