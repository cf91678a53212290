import type { ActionError } from "#app/session/action-result.ts";
import type { OpenDraft } from "#app/writing/editor-data.ts";
import { areSameFields, createFingerprint, toFields, type DraftFields } from "./draft-fields.ts";
import type { LocalDraft } from "./local-drafts.ts";

/** What a save does besides saving the draft. */
export type SaveIntent = "save" | "publish" | "unpublish";

/** The part of the state that the page shows. */
export interface SaveStatus {
  /** Where the latest text is stored. */
  savedTo: "nowhere" | "device" | "account";
  /** Since when, in milliseconds since the Unix epoch. */
  savedAt: number | null;
  /** The revision that the text is based on: 0 before the first save. */
  revision: number;
  publishedRevision: number | null;
  storyId: string | null;
  /** Whether it was last published as a story that is still being written. */
  isOngoing?: OpenDraft["isOngoing"];
  error: ActionError | null;
  /** The draft that another tab or device saved or deleted. Nothing is saved to the account until the user chooses. */
  conflict: OpenDraft | null;
  /** Whether anything was typed on this page. */
  isChanged: boolean;
}

/** A save, for the other tabs of the same browser. */
export interface SavedDraft extends Pick<
  SaveStatus,
  "revision" | "publishedRevision" | "storyId" | "isOngoing"
> {
  fields: DraftFields;
  savedAt: number;
}

export type Timer = "local" | "account" | "retry" | "remote";

/** A running request that saves the draft. */
export interface SaveRequest {
  key: number;
  intent: SaveIntent;
  /** Whether a retry has the same intent. After the user has cancelled a publication, a retry only saves. */
  isIntentKept: boolean;
  fields: DraftFields;
  /** The error to show after this save has succeeded, because the story could only be saved and not published. */
  publishError: ActionError | null;
}

/** The user has chosen the remote text. It replaces their own text after that is saved as an earlier version. */
interface RemoteChoice {
  /** The running request; `null` while waiting for a retry. */
  key: number | null;
}

export interface AutosaveState {
  status: SaveStatus;
  /** The fields in the form. */
  fields: DraftFields;
  /** The fields that the account is known to contain. */
  saved: DraftFields;
  /** The fingerprint of the text at `status.revision`; `null` if that is not certain. */
  base: string | null;
  /** When the account's text was saved, in milliseconds since the Unix epoch. */
  accountSavedAt: number | null;
  /** The intent of the next save. */
  intent: SaveIntent;
  /** Whether the user chose this text instead of `status.revision` in a conflict. */
  isOverwrite: boolean;
  /** Fingerprints of texts that were sent without a response. The server may have saved them. */
  unacknowledged: string[];
  request: SaveRequest | null;
  remoteChoice: RemoteChoice | null;
  /** A remote draft that arrived during a request. */
  pendingRemote: OpenDraft | null;
  /** The latest revision that the live listener reported. */
  remoteRevision: number;
  /** Running timers, and when each was first started. */
  timers: Partial<Record<Timer, number>>;
  retryMs: number;
  /** The latest revision that was announced to or by other tabs. */
  announcedRevision: number;
  nextKey: number;
  isStopped: boolean;
}

export const FIRST_RETRY_MS = 2000;

export interface OpenStateOptions {
  draft: OpenDraft;
  /** Whether the draft could not be read. It may exist. */
  isUnavailable: boolean;
  /** The fields in the form. The user may have typed before scripts ran. */
  typed: DraftFields;
  /** The copy in this browser to continue with, if any. */
  local: LocalDraft | null;
}

/** Returns the state of an editor that was just opened. */
export function openState({ draft, isUnavailable, typed, local }: OpenStateOptions): AutosaveState {
  const saved = toFields(draft);
  const isTyped = !areSameFields(typed, saved);
  const state: AutosaveState = {
    status: { ...toSaveStatus(draft), isChanged: isTyped },
    fields: typed,
    saved,
    // A page that shows typed text again may have loaded a later revision than the text is based on.
    base: isTyped ? null : createFingerprint(saved),
    accountSavedAt: draft.updatedAt,
    intent: "save",
    isOverwrite: false,
    unacknowledged: [],
    request: null,
    remoteChoice: null,
    pendingRemote: null,
    remoteRevision: draft.revision,
    timers: {},
    retryMs: FIRST_RETRY_MS,
    announcedRevision: draft.revision,
    nextKey: 1,
    isStopped: false,
  };
  if (!local || areSameFields(local.fields, saved)) return state;

  // The editor that stored this text may have sent it once more when its page was closed.
  const unacknowledged = [...local.sent, createFingerprint(local.fields)];
  // A draft that was deleted permanently is created again from this copy.
  const isGone = draft.revision === 0 && !isUnavailable;
  const isOwnSave = draft.revision > 0 && unacknowledged.includes(createFingerprint(saved));
  const revision = isGone || isOwnSave ? draft.revision : local.revision;
  const isCurrent = isUnavailable || revision === draft.revision;
  const isOverwrite = local.isOverwrite === true && revision === local.revision && !isGone;
  return {
    ...state,
    fields: local.fields,
    base: isCurrent && !isUnavailable && !isOverwrite ? state.base : null,
    unacknowledged,
    isOverwrite,
    announcedRevision: revision,
    status: {
      ...state.status,
      savedTo: "device",
      savedAt: local.at,
      revision,
      conflict: isCurrent ? state.status.conflict : draft,
    },
  };
}

/** Returns the status of a draft without unsaved changes. */
export function toSaveStatus(draft: OpenDraft): SaveStatus {
  const { revision, publishedRevision, storyId, isOngoing, updatedAt, deletedAt } = draft;
  return {
    savedTo: revision > 0 ? "account" : "nowhere",
    savedAt: updatedAt,
    revision,
    publishedRevision,
    storyId,
    isOngoing,
    error: null,
    conflict: deletedAt === null ? null : draft,
    isChanged: false,
  };
}

/** Whether the form differs from the account. */
export function hasUnsavedChanges({ fields, saved }: AutosaveState): boolean {
  return !areSameFields(fields, saved);
}

/** Whether there is anything to send: changes, a publication, or an undo of changes that the server may have saved. */
export function isPending(state: AutosaveState): boolean {
  const { fields, intent, unacknowledged } = state;
  if (hasUnsavedChanges(state) || intent !== "save") return true;
  if (unacknowledged.length === 0) return false;
  const shown = createFingerprint(fields);
  return unacknowledged.some((sent) => sent !== shown);
}

/** Whether the same request would be rejected again. A user who may not publish may still save. */
export function isLasting({ reason }: ActionError, intent: SaveIntent): boolean {
  return reason === "invalid" || (reason === "denied" && intent !== "save");
}

/** Returns the latest revision that this editor has seen, its own or a remote one. */
export function getLatestRevision({ status }: AutosaveState): number {
  return (status.conflict ?? status).revision;
}
