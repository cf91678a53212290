import type { Refusal, TypedMessage } from "#app/chat/room-data.ts";
import type { Clock } from "#app/site/locale/locale.ts";
import type { Comparison } from "#app/writing/versions/comparison.ts";
import type { DraftHead, Manuscript } from "./draft.ts";

/** What the editor holds: a draft, or one that has not been saved yet. */
export interface OpenDraft extends Manuscript {
  id: string;
  /** The save it started from: 0 before the first. */
  revision: number;
  /** Of that save, in milliseconds since the Unix epoch. */
  updatedAt: number | null;
  storyId: string | null;
  publishedRevision: number | null;
  /** When it was put away, if it was. */
  deletedAt: number | null;
}

/** An earlier moment of the open draft. */
export interface VersionView {
  id: string;
  title: string;
  words: number;
  reason: "published" | "hour" | "replaced" | "conflict";
  /** When these words were saved, in milliseconds since the Unix epoch. */
  createdAt: number;
}

/** All that somebody has begun. */
export interface DraftPapers {
  kind: "drafts";
  /** Last changed first; `null` when the database did not answer. */
  drafts: DraftHead[] | null;
}

/** What else there is of the open draft. */
export interface VersionPapers {
  kind: "versions";
  /** Newest first; `null` when the database did not answer. */
  versions: VersionView[] | null;
  /** The version that is being looked at. */
  version: (VersionView & Manuscript) | null;
  /** What has changed since that version, where the address asks for it. */
  changes: Comparison | null;
}

/** Create as its loader saw it. */
export interface DeskView {
  /** Whose it is; `null` for nobody who is signed in. */
  uid: string | null;
  draft: OpenDraft;
  /** Whether the draft could not be read: then `draft` knows its id, and nothing else of it. */
  isUnreachable: boolean;
  papers: DraftPapers | VersionPapers;
  /** Whether the page answers a form that has published the draft. */
  isJustPublished: boolean;
  /** A draft that was just put away, and can be brought back. */
  removed: { id: string; revision: number } | null;
  clock: Clock;
  /** When it was made, in milliseconds since the Unix epoch. */
  now: number;
}

/** What was typed, with a sentence that says why it was not taken. */
export interface DraftRefusal {
  status: "refused";
  reason: "unauthenticated" | "invalid" | "denied" | "unreachable" | "too-fast";
  message: string;
  hint?: string;
}

/** What the server answers to the editor. A conflict brings what another tab or device has made of the draft. */
export type DraftReply =
  | { status: "saved"; draft: DraftHead }
  | { status: "conflict"; theirs: OpenDraft }
  | DraftRefusal;

/** How the text would be read: safe HTML. Nothing was saved. */
export interface DraftPreview {
  status: "preview";
  html: string;
}

/** What a page shows that came back: the answer, and what was typed in the editor and in the room, if it was sent. */
export interface DeskReply {
  /** `null` when there was nothing to save. */
  reply: DraftReply | DraftPreview | null;
  typed: OpenDraft | null;
  message: Refusal | TypedMessage | undefined;
}
