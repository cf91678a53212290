import type { MessageError, UnsentMessage } from "#app/chat/message.ts";
import type { ActionError } from "#app/session/action-result.ts";
import type { Locale } from "#app/site/locale/locale.ts";
import type { Draft, DraftContent, DraftHead } from "./draft.ts";

/** The draft in the editor, saved or not. */
export interface OpenDraft extends DraftContent {
  id: string;
  /** The revision of its last save: 0 before the first. */
  revision: number;
  /** The time of that save, in milliseconds since the Unix epoch. */
  updatedAt: number | null;
  storyId: string | null;
  publishedRevision: number | null;
  isOngoing?: DraftHead["isOngoing"];
  isDamaged?: Draft["isDamaged"];
  /** When it was moved to the trash, in milliseconds since the Unix epoch. */
  deletedAt: number | null;
}

/** A draft as a form has sent it. */
export interface TypedDraft extends OpenDraft {
  /** The user of the page with the form. Since then the session may have ended, or another user signed in. */
  uid?: string | undefined;
  /** The button that was pressed. */
  intent: string;
}

/** An earlier version of the draft in the editor. */
export interface VersionView {
  id: string;
  title: string;
  words: number;
  reason: "published" | "hour" | "replaced" | "conflict";
  /** When this text was saved, in milliseconds since the Unix epoch. */
  createdAt: number;
}

/** The side panel with all drafts of the user. */
export interface DraftsPanel {
  kind: "drafts";
  /** Last changed first; `null` when the database did not respond. */
  drafts: DraftHead[] | null;
  /** The cursor of older drafts; `null` if there are none. */
  older: string | null;
}

/** The side panel with the earlier versions of the draft in the editor. */
export interface VersionsPanel {
  kind: "versions";
  /** Newest first; `null` when the database did not respond. */
  versions: VersionView[] | null;
  /** The selected version. */
  version: (VersionView & DraftContent & Pick<Draft, "isDamaged">) | null;
  /** The changes since that version, if the URL requests them. */
  changes: Comparison | null;
}

/** What the loader of the Create page returns. */
export interface EditorData {
  /** The signed-in user, or `null`. */
  uid: string | null;
  draft: OpenDraft;
  /** Whether the draft could not be read. `draft` then has its id and is empty. */
  isUnavailable: boolean;
  sidePanel: DraftsPanel | VersionsPanel;
  /** Whether the URL asks for the page that confirms the publication. */
  isReviewing: boolean;
  /** Whether the page is the response to a form that published the draft. */
  isJustPublished: boolean;
  /** The beginning of a message about the published story, if the URL asks for it. */
  announcement: string | null;
  /** The draft that was just moved to the trash and can be restored. */
  trashed: { id: string; revision: number } | null;
  /** What was not kept of the file that the draft was just imported from; else `null`. */
  notKept: string[] | null;
  locale: Locale;
  /** When the page was rendered, in milliseconds since the Unix epoch. */
  now: number;
}

/** The server's response to a save. A conflict contains the draft that another tab or device has saved. */
export type SaveResult =
  | { status: "saved"; draft: DraftHead }
  | { status: "conflict"; remote: OpenDraft }
  | ActionError;

/** The story as readers would see it, as safe HTML. A preview saves nothing. */
export interface RenderedPreview {
  status: "preview";
  html: string;
  /** The attributes of the element with the text. */
  lang?: string | undefined;
  dir?: "rtl" | undefined;
}

/** The data that the action of the Create page returns: the result, and everything that was typed. */
export interface EditorActionData {
  /** `null` when there was nothing to save. */
  result: SaveResult | RenderedPreview | null;
  typed: TypedDraft | null;
  message: MessageError | UnsentMessage | undefined;
  /** What was not kept of the file that was just imported; `undefined` if none was. */
  notKept?: string[] | undefined;
}

/** Words that both texts contain, or only the later text (`added`), or only the earlier text (`removed`). */
export interface Piece {
  kind: "unchanged" | "added" | "removed";
  text: string;
}

/** Lines with their changes, or the number of unchanged words that are left out. */
export type Passage = { pieces: Piece[] } | { unchangedWords: number };

/** The changes between two versions of a draft. */
export interface Comparison {
  /** The other fields that have changed, by name. */
  fields: { name: string; pieces: Piece[] }[];
  /** Empty when all words are the same; `null` when more has changed than can be compared. */
  text: Passage[] | null;
  /** Whether the texts differ only in spaces and line breaks. */
  isSpacingOnly: boolean;
}
