import type { OpenDraft, SaveResult } from "#app/writing/editor-data.ts";
import type { DraftFields } from "./draft-fields.ts";
import type { LocalDraft } from "./local-drafts.ts";
import type { DraftPost } from "./post-draft.ts";
import type { AutosaveState, SavedDraft, SaveIntent, SaveStatus, Timer } from "./state.ts";

type EventBody =
  /** The editor was opened, perhaps with unsaved text from this browser or the form. */
  | { type: "open" }
  /** The user typed. */
  | { type: "change"; fields: DraftFields }
  /** The user pressed a button. */
  | { type: "save"; intent: SaveIntent }
  /** The user does not want to publish any more. */
  | { type: "cancelPublication" }
  /** The server responded to a `post`, or the request failed. */
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
  /** The draft in the account; `null` if there is none. */
  | { type: "remoteDraft"; draft: OpenDraft | null }
  | { type: "remoteFailed" }
  /** Another tab of this browser has saved. */
  | { type: "tabSaved"; saved: SavedDraft }
  /** The user chose the text in this editor. */
  | { type: "overwriteRemote" }
  /** The user chose the remote text. */
  | { type: "replaceWithRemote" }
  /** The editor is closed. */
  | { type: "stop" };

/** An event in an editor. `at` is in milliseconds since the Unix epoch. */
export type AutosaveEvent = EventBody & { at: number };

/** An effect that `Autosave` performs after an event. */
export type AutosaveEffect =
  | { type: "post"; key: number; post: Omit<DraftPost, "uid" | "id"> }
  /** With `isOwnOnly`, only if this editor's copy still exists, because another editor may have taken it over. */
  | { type: "saveLocally"; draft: LocalDraft; isOwnOnly: boolean }
  | { type: "deleteLocal" }
  /** Replaces a running timer with the same name. */
  | { type: "startTimer"; timer: Timer; ms: number }
  | { type: "stopTimer"; timer: Timer }
  | { type: "fetchRemote" }
  /** Shows other text in the form. */
  | { type: "replaceFields"; fields: DraftFields }
  /** Informs the other tabs of this browser. */
  | { type: "announce"; saved: SavedDraft };

/** The state and effects of one event while it is handled. */
export interface Step {
  state: AutosaveState;
  readonly effects: AutosaveEffect[];
  readonly at: number;
}

/** The pause in typing to wait for, and the longest wait without a pause. */
export interface Delay {
  pauseMs: number;
  maxMs: number;
}

/** Starts or restarts a timer, but lets it end at most `maxMs` after its first start. */
export function schedule(step: Step, timer: Timer, { pauseMs, maxMs }: Delay): void {
  const since = step.state.timers[timer] ?? step.at;
  startTimer(step, timer, Math.max(0, Math.min(pauseMs, since + maxMs - step.at)));
}

export function startTimer(step: Step, timer: Timer, ms: number): void {
  const { timers, isStopped } = step.state;
  if (isStopped) return;
  update(step, { timers: { ...timers, [timer]: timers[timer] ?? step.at } });
  emit(step, { type: "startTimer", timer, ms });
}

export function stopTimer(step: Step, timer: Timer): void {
  const { [timer]: since, ...timers } = step.state.timers;
  if (since === undefined) return;
  update(step, { timers });
  emit(step, { type: "stopTimer", timer });
}

export function update(step: Step, next: Partial<AutosaveState>): void {
  step.state = { ...step.state, ...next };
}

export function updateStatus(step: Step, next: Partial<SaveStatus>): void {
  update(step, { status: { ...step.state.status, ...next } });
}

export function emit(step: Step, effect: AutosaveEffect): void {
  step.effects.push(effect);
}
