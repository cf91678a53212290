import type { OpenDraft, SaveResult } from "#app/writing/editor-data.ts";
import type { DraftFields } from "./draft-fields.ts";
import type { LocalDraft } from "./local-drafts.ts";
import type { DraftPost } from "./post-draft.ts";
import type { SavedDraft, SaveIntent, Timer } from "./state.ts";

type Happening =
  /** The editor was opened: what it found in this browser or in the form is still to be saved. */
  | { type: "open" }
  /** The user typed. */
  | { type: "change"; fields: DraftFields }
  /** The user pressed a button. */
  | { type: "save"; intent: SaveIntent }
  /** The server answered a `post`, or it failed. */
  | { type: "saveResult"; key: number; result: SaveResult }
  /** Whether a `saveLocally` succeeded: storage may be denied or full. */
  | { type: "localResult"; isSaved: boolean }
  | { type: "timer"; timer: Timer }
  /** The page may be about to close. */
  | { type: "flush" }
  /** The connection or the session may be back. */
  | { type: "retry" }
  /** The live listener reports a revision. */
  | { type: "remoteChange"; revision: number }
  /** The draft as the account has it; `null` where there is none. */
  | { type: "remoteDraft"; draft: OpenDraft | null }
  | { type: "remoteFailed" }
  /** Another tab of this browser has saved. */
  | { type: "tabSaved"; saved: SavedDraft }
  /** The user chose the text in this editor. */
  | { type: "keepLocal" }
  /** The user chose the remote text. */
  | { type: "useRemote" }
  /** The editor is closed. */
  | { type: "stop" };

/** What happens to an editor, with the time in milliseconds since the Unix epoch. */
export type AutosaveEvent = Happening & { at: number };

/** What the runtime has to do after an event, in this order. */
export type AutosaveEffect =
  | { type: "post"; key: number; post: Omit<DraftPost, "uid" | "id"> }
  /** With `isOwnOnly` only if this editor's copy still exists: another editor may have taken it over. */
  | { type: "saveLocally"; draft: LocalDraft; isOwnOnly: boolean }
  | { type: "deleteLocal" }
  /** Replaces a timer of the same name. */
  | { type: "startTimer"; timer: Timer; ms: number }
  | { type: "stopTimer"; timer: Timer }
  | { type: "fetchRemote" }
  /** The form is to show other text. */
  | { type: "replaceFields"; fields: DraftFields }
  /** Informs the other tabs of this browser. */
  | { type: "announce"; saved: SavedDraft };
