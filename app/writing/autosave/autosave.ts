import type { OpenDraft, SaveResult } from "#app/writing/editor-data.ts";
import { areSameFields, toFields, type DraftFields } from "./draft-fields.ts";
import type { AutosaveEffect, AutosaveEvent } from "./step.ts";
import type { LocalDrafts } from "./local-drafts.ts";
import type { DraftPost } from "./post-draft.ts";
import { reduce } from "./reduce.ts";
import {
  hasUnsavedChanges,
  openState,
  type AutosaveState,
  type SavedDraft,
  type SaveIntent,
  type SaveStatus,
  type Timer,
} from "./state.ts";

/** The side effects that `Autosave` needs, so that tests can replace them. */
export interface AutosaveEnvironment {
  localDrafts: LocalDrafts;
  /** Always calls back, exactly once. */
  post: (post: DraftPost, onResult: (result: SaveResult) => void) => void;
  /** Calls back once: `onDraft` with `null` if there is no such draft, or `onError` if the account cannot be reached. */
  fetchDraft: (id: string, onDraft: (draft: OpenDraft | null) => void, onError: () => void) => void;
  /** Shows other text in the form. */
  replaceFields: (fields: DraftFields) => void;
  /** Informs the other tabs of this browser. */
  announce: (id: string, saved: SavedDraft) => void;
  /** Returns a function that cancels the timer. */
  startTimer: (ms: number, onEnd: () => void) => () => void;
  /** Milliseconds since the Unix epoch. */
  now: () => number;
}

export interface AutosaveOptions {
  draft: OpenDraft;
  /** Whether the draft could not be read. It may exist, but `draft` is empty. @default false */
  isUnavailable?: boolean;
  /** Whether the URL asks for this draft or for a new story, so that no other is continued. @default false */
  isRequested?: boolean;
  /** The form's fields. They may differ from the draft, because the user may have typed before scripts ran. */
  typed: DraftFields;
  uid: string;
}

type EventWithoutTime = AutosaveEvent extends infer Event
  ? Event extends unknown
    ? Omit<Event, "at">
    : never
  : never;

/** Saves the text of one editor: performs the effects that `reduce` returns, and dispatches their results. */
export class Autosave {
  readonly id: string;
  readonly #uid: string;
  readonly #environment: AutosaveEnvironment;
  #state: AutosaveState;
  readonly #queue: AutosaveEvent[] = [];
  #isBusy = false;
  readonly #timers = new Map<Timer, () => void>();
  readonly #subscribers = new Set<() => void>();

  constructor(options: AutosaveOptions, environment: AutosaveEnvironment) {
    const { draft, isUnavailable = false, isRequested = false, typed, uid } = options;
    const { localDrafts } = environment;
    this.#uid = uid;
    this.#environment = environment;
    const isKnown =
      draft.revision > 0 || isUnavailable || isRequested || localDrafts.find(draft.id) !== null;
    const id = isKnown ? draft.id : (localDrafts.findUnsaved() ?? draft.id);
    const localDraft = localDrafts.find(id);
    const saved = toFields(draft);
    const isTyped = !areSameFields(typed, saved);
    // If the user has already typed another text, the local copy stays until the draft is opened again.
    const isUsed = localDraft !== null && (!isTyped || areSameFields(typed, localDraft.fields));
    this.id = isUsed ? id : draft.id;
    const local = isUsed ? localDrafts.claim(id) : null;
    if (local && areSameFields(local.fields, saved)) localDrafts.delete(id);
    this.#state = openState({ draft, isUnavailable, typed, local });
    this.#dispatch({ type: "open" });
  }

  /** For `useSyncExternalStore`. */
  subscribe = (notify: () => void): (() => void) => {
    this.#subscribers.add(notify);
    return () => void this.#subscribers.delete(notify);
  };

  getStatus = (): SaveStatus => this.#state.status;

  /** The fields that the form should show. */
  get fields(): DraftFields {
    return this.#state.fields;
  }

  /** The last save; `null` while changes are unsaved. */
  get saved(): SavedDraft | null {
    const { status, saved: fields } = this.#state;
    const { savedTo, savedAt, revision, publishedRevision, storyId, isOngoing } = status;
    if (savedTo !== "account" || savedAt === null) return null;
    return { fields, savedAt, revision, publishedRevision, storyId, isOngoing };
  }

  get hasUnsavedChanges(): boolean {
    return hasUnsavedChanges(this.#state);
  }

  change(fields: DraftFields): void {
    this.#dispatch({ type: "change", fields });
  }

  /** Saves now, unless a conflict is open. Resolves with whether it was saved. */
  async save(intent: SaveIntent): Promise<boolean> {
    const { conflict, revision } = this.#state.status;
    this.#dispatch({ type: "save", intent });
    if (conflict) return false;
    await this.#waitUntil((state) => state.request === null);
    return this.#state.status.revision !== revision;
  }

  /** Publishes nothing that could not be published yet. Changes are still saved. */
  cancelPublication(): void {
    this.#dispatch({ type: "cancelPublication" });
  }

  /** Saves without waiting for the timers, because the page may be about to close. */
  flush(): void {
    this.#dispatch({ type: "flush" });
  }

  /** Retries failed saves at once, because the connection or the session may be back. */
  retry(): void {
    this.#dispatch({ type: "retry" });
  }

  /** Call when the live listener reports a revision in the account. */
  onRemoteChange(revision: number): void {
    this.#dispatch({ type: "remoteChange", revision });
  }

  /** Call when the page was loaded again, perhaps with a later save. */
  onRemoteDraft(draft: OpenDraft): void {
    this.#dispatch({ type: "remoteDraft", draft });
  }

  /** Call when another tab of this browser has saved. */
  onTabSaved(saved: SavedDraft): void {
    this.#dispatch({ type: "tabSaved", saved });
  }

  /** Saves the text in this editor over the remote one. Resolves with whether the first attempt saved it. */
  async overwriteRemote(): Promise<boolean> {
    const { conflict } = this.#state.status;
    this.#dispatch({ type: "overwriteRemote" });
    if (!conflict) return false;
    await this.#waitUntil((state) => state.request === null);
    return this.#state.status.revision !== conflict.revision;
  }

  /**
   * Opens the remote text, after the text in this editor has been saved as an earlier version. Resolves with whether it
   * is open; it is not if the user continues to write meanwhile.
   */
  async replaceWithRemote(): Promise<boolean> {
    const { conflict } = this.#state.status;
    this.#dispatch({ type: "replaceWithRemote" });
    if (!conflict) return false;
    await this.#waitUntil((state) => state.remoteChoice === null);
    const { status } = this.#state;
    return status.conflict === null && status.revision === conflict.revision;
  }

  /** Stops all timers and saves once more. Afterwards other editors may take over the local copy. */
  stop(): void {
    this.#dispatch({ type: "stop" });
  }

  #waitUntil(isDone: (state: AutosaveState) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        if (!isDone(this.#state)) return;
        this.#subscribers.delete(check);
        resolve();
      };
      this.#subscribers.add(check);
      check();
    });
  }

  /** Handles one event after the other, including those that effects dispatch synchronously. */
  #dispatch(event: EventWithoutTime): void {
    this.#queue.push({ ...event, at: this.#environment.now() });
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      for (let event = this.#queue.shift(); event; event = this.#queue.shift()) {
        const [state, effects] = reduce(this.#state, event);
        this.#state = state;
        for (const effect of effects) this.#perform(effect);
      }
    } finally {
      this.#isBusy = false;
    }
    for (const notify of this.#subscribers) notify();
  }

  #perform(effect: AutosaveEffect): void {
    const { localDrafts, post, fetchDraft, replaceFields, announce } = this.#environment;
    switch (effect.type) {
      case "post": {
        const { key } = effect;
        return post({ ...effect.post, uid: this.#uid, id: this.id }, (result) =>
          this.#dispatch({ type: "saveResult", key, result }),
        );
      }
      case "saveLocally": {
        if (effect.isOwnOnly && !localDrafts.has(this.id)) return undefined;
        const isSaved = localDrafts.set(this.id, effect.draft);
        return this.#dispatch({ type: "localResult", isSaved });
      }
      case "deleteLocal":
        return localDrafts.delete(this.id);
      case "startTimer":
        return this.#startTimer(effect.timer, effect.ms);
      case "stopTimer":
        this.#timers.get(effect.timer)?.();
        return undefined;
      case "fetchRemote":
        return fetchDraft(
          this.id,
          (draft) => this.#dispatch({ type: "remoteDraft", draft }),
          () => this.#dispatch({ type: "remoteFailed" }),
        );
      case "replaceFields":
        return replaceFields(effect.fields);
      case "announce":
        return announce(this.id, effect.saved);
    }
  }

  #startTimer(timer: Timer, ms: number): void {
    this.#timers.get(timer)?.();
    const cancel = this.#environment.startTimer(ms, () => this.#dispatch({ type: "timer", timer }));
    this.#timers.set(timer, cancel);
  }
}
