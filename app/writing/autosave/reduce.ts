import type { OpenDraft, SaveResult } from "#app/writing/editor-data.ts";
import {
  cancelRemoteChoice,
  overwriteRemote,
  onVersionResult,
  openConflict,
  postVersion,
  replaceWithRemote,
} from "./conflict.ts";
import { areSameFields, createFingerprint, toFields, type DraftFields } from "./draft-fields.ts";
import {
  emit,
  schedule,
  startTimer,
  stopTimer,
  update,
  updateStatus,
  type AutosaveEffect,
  type AutosaveEvent,
  type Step,
} from "./step.ts";
import {
  ACCOUNT_DELAY,
  acknowledge,
  cancelPublication,
  continueWithRemote,
  LOCAL_DELAY,
  post,
  restoreIntent,
  saveChanges,
  saveLocally,
  scheduleRetry,
  startRequest,
} from "./saving.ts";
import {
  FIRST_RETRY_MS,
  getLatestRevision,
  hasUnsavedChanges,
  isLasting,
  isPending,
  type AutosaveState,
  type SavedDraft,
  type SaveIntent,
  type SaveRequest,
  type Timer,
} from "./state.ts";

const REMOTE_RETRY_MS = 5000;

/**
 * Returns the state after an event, and the effects to perform in this order. Text is saved in this browser within a second
 * and to the account within five. Saves are sent one at a time, each based on the previous one. Failed saves are retried.
 */
export function reduce(
  state: AutosaveState,
  event: AutosaveEvent,
): [AutosaveState, AutosaveEffect[]] {
  const step: Step = { state, effects: [], at: event.at };
  handle(step, event);
  announce(step);
  return [step.state, step.effects];
}

function handle(step: Step, event: AutosaveEvent): void {
  switch (event.type) {
    case "open":
      return open(step);
    case "change":
      return change(step, event.fields);
    case "save":
      return save(step, event.intent);
    case "cancelPublication":
      return onPublicationCancelled(step);
    case "saveResult":
      return onSaveResult(step, event.key, event.result);
    case "localResult":
      return onLocalResult(step, event.isSaved);
    case "timer":
      return onTimer(step, event.timer);
    case "flush":
      return flush(step);
    case "retry":
      return retry(step);
    case "remoteChange":
      return onRemoteChange(step, event.revision);
    case "remoteDraft":
      return onRemoteDraft(step, event.draft);
    case "remoteFailed":
      return startTimer(step, "remote", REMOTE_RETRY_MS);
    case "tabSaved":
      return onTabSaved(step, event.saved);
    case "overwriteRemote":
      return overwriteRemote(step);
    case "replaceWithRemote":
      return replaceWithRemote(step);
    case "stop":
      return stop(step);
  }
}

function open(step: Step): void {
  if (!hasUnsavedChanges(step.state)) return;
  if (step.state.status.savedTo !== "device") schedule(step, "local", LOCAL_DELAY);
  schedule(step, "account", ACCOUNT_DELAY);
}

function change(step: Step, fields: DraftFields): void {
  if (areSameFields(fields, step.state.fields)) return;
  update(step, { fields });
  updateStatus(step, { isChanged: true });
  cancelRemoteChoice(step);
  // The user has not confirmed this text. But a publication that follows a running save takes the latest text.
  if (step.state.request?.intent !== "save") cancelPublication(step);
  stopTimer(step, "retry");
  schedule(step, "local", LOCAL_DELAY);
  schedule(step, "account", ACCOUNT_DELAY);
}

function save(step: Step, intent: SaveIntent): void {
  if (step.state.status.conflict) return;
  update(step, { intent });
  if (intent === "save" && step.state.status.revision > 0) saveChanges(step);
  else startRequest(step);
}

function onPublicationCancelled(step: Step): void {
  if (step.state.intent !== "publish" && step.state.request?.intent !== "publish") return;
  cancelPublication(step);
  if (isPending(step.state) || step.state.request) return;
  stopTimer(step, "retry");
  saveChanges(step);
}

function onSaveResult(step: Step, key: number, result: SaveResult): void {
  const { request, remoteChoice } = step.state;
  if (remoteChoice?.key === key) return onVersionResult(step, result);
  if (request?.key !== key) return;
  update(step, { request: null });
  const isConfirmed = confirmResult(step, result, request);
  if (isConfirmed) {
    updateStatus(step, { error: request.publishError });
    const isUnfinished = step.state.isStopped
      ? isPending(step.state)
      : step.state.intent !== "save";
    if (isUnfinished) post(step);
  } else if (result.status === "error") {
    scheduleRetry(step, result, request);
    const isUnpublishable = isLasting(result, request.intent) && request.intent !== "save";
    // A text that can't be published can still be saved.
    if (isUnpublishable && hasUnsavedChanges(step.state)) post(step, result);
  }
  onRequestEnd(step);
}

/** Returns whether the account now contains a text of this editor. */
function confirmResult(step: Step, result: SaveResult, request: SaveRequest): boolean {
  if (result.status === "saved") {
    acknowledge(step, request.fields, result.draft);
    return true;
  }
  if (result.status === "error") return false;
  const isOwn = recognizeOwnText(step, result.remote);
  if (isOwn) restoreIntent(step, request);
  else openConflict(step, result.remote);
  return isOwn;
}

/** Recognizes a save of this editor whose response was lost, and a remote save that did not change the text. */
function recognizeOwnText(step: Step, remote: OpenDraft): boolean {
  if (remote.deletedAt !== null) return false;
  const { fields, base, unacknowledged } = step.state;
  const remoteFields = toFields(remote);
  const sent = createFingerprint(remoteFields);
  const isSame = createFingerprint(fields) === sent;
  if (!isSame && sent !== base && !unacknowledged.includes(sent)) return false;
  const language = followLanguage(step, remoteFields);
  acknowledge(step, isSame ? { ...fields, ...language } : remoteFields, remote);
  return true;
}

/** Shows the remote language, unless the user has chosen another one since the last save. Returns it, if there is any. */
function followLanguage(step: Step, { language }: DraftFields): Pick<DraftFields, "language"> {
  if (language === undefined) return {};
  const { fields, saved } = step.state;
  const isChosen = saved.language !== undefined && fields.language !== saved.language;
  if (!isChosen && fields.language !== language) {
    update(step, { fields: { ...fields, language } });
    emit(step, { type: "replaceFields", fields: step.state.fields });
  }
  return { language };
}

function onLocalResult(step: Step, isSaved: boolean): void {
  // The account may have confirmed the text in the meantime.
  if (!isPending(step.state) || step.state.isStopped) return;
  updateStatus(
    step,
    isSaved ? { savedTo: "device", savedAt: step.at } : { savedTo: "nowhere", savedAt: null },
  );
}

function onTimer(step: Step, timer: Timer): void {
  const { [timer]: _, ...timers } = step.state.timers;
  update(step, { timers });
  if (timer === "local") saveLocally(step);
  else if (timer === "remote") fetchRemote(step);
  else if (step.state.remoteChoice) postVersion(step);
  else saveChanges(step);
}

function flush(step: Step): void {
  const { timers, remoteChoice } = step.state;
  if (timers.local !== undefined) saveLocally(step);
  const isWaiting = timers.account !== undefined || timers.retry !== undefined;
  if (isWaiting && !remoteChoice) saveChanges(step);
}

function retry(step: Step): void {
  update(step, { retryMs: FIRST_RETRY_MS });
  if (step.state.remoteChoice) postVersion(step);
  else flush(step);
}

function onRemoteChange(step: Step, revision: number): void {
  update(step, { remoteRevision: Math.max(step.state.remoteRevision, revision) });
  fetchRemote(step);
}

/** Fetches a newer remote draft. Not during a request, because the newer revision may be this editor's own save. */
function fetchRemote(step: Step): void {
  const { remoteRevision, request, isStopped } = step.state;
  stopTimer(step, "remote");
  const isNewer = remoteRevision > getLatestRevision(step.state);
  if (isNewer && !request && !isStopped) emit(step, { type: "fetchRemote" });
}

function onRemoteDraft(step: Step, draft: OpenDraft | null): void {
  if (!draft || draft.revision <= getLatestRevision(step.state) || step.state.isStopped) return;
  const { request, pendingRemote } = step.state;
  if (request) {
    const isNewest = !pendingRemote || draft.revision > pendingRemote.revision;
    return isNewest ? update(step, { pendingRemote: draft }) : undefined;
  }
  if (recognizeOwnText(step, draft)) return;
  if (isPending(step.state) || draft.deletedAt !== null) return openConflict(step, draft);
  const savedAt = draft.updatedAt ?? step.at;
  continueWithRemote(step, { ...draft, fields: toFields(draft), savedAt });
}

/** Handles remote changes that were reported during the request. */
function onRequestEnd(step: Step): void {
  if (step.state.request) return;
  const { pendingRemote } = step.state;
  update(step, { pendingRemote: null });
  onRemoteDraft(step, pendingRemote);
  fetchRemote(step);
}

function onTabSaved(step: Step, saved: SavedDraft): void {
  const { status, announcedRevision, request, isStopped } = step.state;
  update(step, { announcedRevision: Math.max(announcedRevision, saved.revision) });
  const isFollowing = saved.revision > status.revision && !isPending(step.state);
  // Otherwise the live listener or the next save detects the difference.
  if (isFollowing && !request && !isStopped) continueWithRemote(step, saved);
}

/** Stores and sends everything once more. Another editor may take over the local copy at once. */
function stop(step: Step): void {
  if (step.state.timers.local !== undefined) saveLocally(step);
  for (const timer of ["local", "account", "retry", "remote"] as const) stopTimer(step, timer);
  cancelRemoteChoice(step);
  update(step, { isStopped: true });
  const { fields, unacknowledged, status } = step.state;
  const isSent = unacknowledged.includes(createFingerprint(fields));
  const isRejected = isSent && status.error?.reason === "invalid";
  if (isPending(step.state) && !isRejected) startRequest(step);
}

/** Informs other tabs of a new save, once all changes in this editor are saved. */
function announce(step: Step): void {
  const { status, saved: fields, announcedRevision, isStopped } = step.state;
  const { savedTo, savedAt, revision, publishedRevision, storyId, isOngoing } = status;
  const isUnannounced = savedTo === "account" && revision !== announcedRevision;
  if (!isUnannounced || savedAt === null || isStopped) return;
  update(step, { announcedRevision: revision });
  const saved = { fields, savedAt, revision, publishedRevision, storyId, isOngoing };
  emit(step, { type: "announce", saved });
}
