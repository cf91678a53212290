import type { OpenDraft, SaveError } from "#app/writing/editor-data.ts";
import { areSameFields, fingerprint, toFields, type DraftFields } from "./draft-fields.ts";
import type { LocalDraft } from "./local-drafts.ts";

/** What a save does with the story besides saving the draft. */
export type SaveIntent = "save" | "publish" | "unpublish";

/** What the page shows of the state. */
export interface SaveStatus {
  /** Where the latest text is stored. */
  savedTo: "nowhere" | "device" | "account";
  /** Since when, in milliseconds since the Unix epoch. */
  savedAt: number | null;
  /** The revision that the text is based on: 0 before the first save. */
  revision: number;
  publishedRevision: number | null;
  storyId: string | null;
  error: SaveError | null;
  /** What another tab or device saved or deleted meanwhile. Nothing is saved to the account until the user chooses. */
  conflict: OpenDraft | null;
  /** Whether anything was typed on this page. */
  isChanged: boolean;
}

/** A save, as other tabs of the same browser need it. */
export interface SavedDraft extends Pick<SaveStatus, "revision" | "publishedRevision" | "storyId"> {
  fields: DraftFields;
  savedAt: number;
}

export type Timer = "local" | "account" | "retry" | "remote";

/** A save on its way to the server. */
interface SaveRequest {
  key: number;
  intent: SaveIntent;
  fields: DraftFields;
  /** An error to show again once this save has succeeded: the story could not be published, only saved. */
  publishError: SaveError | null;
}

/** The user's own text on its way to the earlier versions, so that the remote text can replace it. */
interface RemoteChoice {
  /** The request under way; `null` while waiting to try again. */
  key: number | null;
}

export interface AutosaveState {
  status: SaveStatus;
  /** What the form holds. */
  fields: DraftFields;
  /** The account's text as this editor knows it. */
  saved: DraftFields;
  /** The fingerprint of the text at `status.revision`; `null` where it is not known for sure. */
  base: string | null;
  /** When the account's text was saved, in milliseconds since the Unix epoch. */
  accountSavedAt: number | null;
  /** What the next save is to do. */
  intent: SaveIntent;
  /** Whether the user chose this text over `status.revision` in a conflict. */
  isOverwrite: boolean;
  /** Fingerprints of texts that were sent without an answer: the server may have saved them. */
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
  /** The latest revision that other tabs know. */
  announcedRevision: number;
  nextKey: number;
  isStopped: boolean;
}

export const FIRST_RETRY_MS = 2000;

export interface OpenedDraft {
  draft: OpenDraft;
  /** The draft may exist, but could not be read. */
  isUnavailable: boolean;
  /** What the form holds: the user may have typed before scripts ran. */
  typed: DraftFields;
  /** The copy in this browser to continue with, if any. */
  local: LocalDraft | null;
}

/** Returns the state of an editor that was just opened. */
export function openState({ draft, isUnavailable, typed, local }: OpenedDraft): AutosaveState {
  const saved = toFields(draft);
  const isTyped = !areSameFields(typed, saved);
  const state: AutosaveState = {
    status: { ...toSaveStatus(draft), isChanged: isTyped },
    fields: typed,
    saved,
    // A page that brings back typed text may have loaded a later revision than the text is based on.
    base: isTyped ? null : fingerprint(saved),
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

  // A page that is being closed may send this text a last time.
  const unacknowledged = [...local.sent, fingerprint(local.fields)];
  // A draft that was deleted permanently starts again from this copy.
  const isGone = draft.revision === 0 && !isUnavailable;
  const isOwnSave = draft.revision > 0 && unacknowledged.includes(fingerprint(saved));
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
  const { revision, publishedRevision, storyId, updatedAt, deletedAt } = draft;
  return {
    savedTo: revision > 0 ? "account" : "nowhere",
    savedAt: updatedAt,
    revision,
    publishedRevision,
    storyId,
    error: null,
    conflict: deletedAt === null ? null : draft,
    isChanged: false,
  };
}

/** Whether the form holds something that the account does not. */
export function hasUnsavedChanges({ fields, saved }: AutosaveState): boolean {
  return !areSameFields(fields, saved);
}

/** Whether anything remains to be sent: changes, or a publication. */
export function isPending(state: AutosaveState): boolean {
  return hasUnsavedChanges(state) || state.intent !== "save";
}

/** The latest revision this editor knows of, its own or a remote one. */
export function getKnownRevision({ status }: AutosaveState): number {
  return (status.conflict ?? status).revision;
}
