import type { DraftRefusal, DraftReply, OpenDraft } from "./desk-view.ts";
import type { DeviceCopies } from "./device-copies.ts";
import { areSame, toFields, type DraftFields } from "./draft-fields.ts";
import type { DraftIntent, DraftPost } from "./post-draft.ts";

/** A pause in typing, and the longest that typing without one may put off a save. */
const DEVICE_MS = { pause: 400, most: 900 };
const ACCOUNT_MS = { pause: 2000, most: 4000 };
const FIRST_RETRY_MS = 2000;
const LONGEST_RETRY_MS = 60_000;

/** Where the last word is. */
export interface KeptDraft {
  place: "nowhere" | "device" | "account";
  /** When it got there, in milliseconds since the Unix epoch. */
  at: number | null;
  /** The save it goes on from: 0 before the first. */
  revision: number;
  publishedRevision: number | null;
  storyId: string | null;
  refusal: DraftRefusal | null;
  /** What another tab or device has saved or put away meanwhile. Nothing goes to the account until somebody has chosen. */
  conflict: OpenDraft | null;
}

/** Where a draft is that nothing has been typed into yet. */
export function toKept(draft: OpenDraft): KeptDraft {
  const { revision, publishedRevision, storyId, updatedAt } = draft;
  return {
    place: revision > 0 ? "account" : "nowhere",
    at: updatedAt,
    revision,
    publishedRevision,
    storyId,
    refusal: null,
    conflict: draft.deletedAt === null ? null : draft,
  };
}

/** A save as other tabs need to know it. */
export interface SavedDraft extends Pick<KeptDraft, "revision" | "publishedRevision" | "storyId"> {
  fields: DraftFields;
  at: number;
}

export interface DraftKeeperOptions {
  draft: OpenDraft;
  /** Who writes it. */
  uid: string;
  copies: DeviceCopies;
  post: (draft: DraftPost) => Promise<DraftReply>;
  now: () => number;
}

/**
 * Keeps what is written: on this device within a second, in the account within five. Saves follow one another, each on
 * the one before; what cannot be sent waits on the device and is tried again.
 */
export class DraftKeeper {
  readonly id: string;
  #state: KeptDraft;
  #fields: DraftFields;
  /** What the account holds. */
  #saved: DraftFields;
  readonly #options: DraftKeeperOptions;
  readonly #subscribers = new Set<() => void>();
  readonly #timers = new Map<
    "device" | "account",
    { timer: ReturnType<typeof setTimeout>; since: number }
  >();
  #retryMs = FIRST_RETRY_MS;
  #sending: Promise<void> | null = null;
  #intent: DraftIntent = "save";
  /** What was sent first since the last answer: it may have arrived all the same. */
  #unheard: DraftFields | null = null;
  constructor(options: DraftKeeperOptions) {
    const { draft, copies } = options;
    this.#options = options;
    const isKnown = draft.revision > 0 || copies.find(draft.id) !== null;
    this.id = isKnown ? draft.id : (copies.findBegun() ?? draft.id);
    this.#saved = toFields(draft);
    this.#fields = this.#saved;
    this.#state = toKept(draft);
    this.#takeCopy();
  }

  /** For `useSyncExternalStore`. */
  subscribe = (notify: () => void): (() => void) => {
    this.#subscribers.add(notify);
    return () => void this.#subscribers.delete(notify);
  };

  get = (): KeptDraft => this.#state;

  /** Whether something here is not in the account yet. */
  get isAhead(): boolean {
    return !areSame(this.#fields, this.#saved);
  }

  /** What the form should hold at the start: the device may know more than the account. */
  get fields(): DraftFields {
    return this.#fields;
  }

  /** Takes note of what the form holds now. */
  note(fields: DraftFields): void {
    if (areSame(fields, this.#fields)) return;
    this.#fields = fields;
    this.#schedule("device", DEVICE_MS);
    this.#schedule("account", ACCOUNT_MS);
  }

  /** Saves now, and publishes or withdraws with it. Resolves when that is done, or waits for better times. */
  send(intent: DraftIntent): Promise<void> {
    this.#intent = intent;
    return this.#keepInAccount();
  }

  /** Saves now whatever waits. The page may be about to go. */
  flush(): void {
    if (this.#timers.has("device")) this.#keepOnDevice();
    if (this.#timers.has("account")) void this.#keepInAccount();
  }

  /** What this tab has saved, for others of this browser. `null` while something waits. */
  get saved(): SavedDraft | null {
    const { place, at, revision, publishedRevision, storyId } = this.#state;
    if (place !== "account" || at === null) return null;
    return { fields: this.#saved, at, revision, publishedRevision, storyId };
  }

  /** Takes what another tab has saved, and returns it; nothing when something here is not saved yet. */
  follow({ fields, ...kept }: SavedDraft): DraftFields | null {
    if (kept.revision <= this.#state.revision || this.isAhead) return null;
    this.#saved = fields;
    this.#fields = fields;
    this.#update({ ...kept, place: "account", conflict: null });
    return fields;
  }

  /**
   * Looks after a change that is heard of, unless it is known here: takes a save as `follow` does, or, when something here
   * is not saved yet, offers both texts; what was put away is offered to be brought back. Returns what the form is to hold
   * from now on, when that is something else.
   */
  async learn(
    revision: number,
    find: () => Promise<OpenDraft | null>,
  ): Promise<DraftFields | null> {
    // It may be the one that is under way from here.
    await this.#sending;
    if (revision <= this.#newest) return null;
    const theirs = await find();
    await this.#sending;
    if (!theirs || theirs.revision <= this.#newest) return null;

    if (this.#recognize(theirs)) return null;
    if (!this.isAhead && theirs.deletedAt === null) {
      const at = theirs.updatedAt ?? this.#options.now();
      return this.follow({ ...toKept(theirs), fields: toFields(theirs), at });
    }
    this.#update({ conflict: theirs, refusal: null });
    return null;
  }

  /** The last save that is known here, wherever it was made. */
  get #newest(): number {
    return (this.#state.conflict ?? this.#state).revision;
  }

  /** Goes on with what stands here, over what was saved elsewhere. */
  keepMine(): void {
    const { conflict } = this.#state;
    if (!conflict) return;
    this.#update({ conflict: null, revision: conflict.revision });
    void this.#keepInAccount();
  }

  /** Goes on with what was saved elsewhere, and returns it. What stands here is forgotten. */
  takeTheirs(): DraftFields | null {
    const { conflict } = this.#state;
    if (!conflict) return null;
    this.#options.copies.forget(this.id);
    this.#fields = this.#saved = toFields(conflict);
    const { revision, updatedAt, publishedRevision, storyId } = conflict;
    this.#update({ conflict: null, place: "account", at: updatedAt, revision });
    this.#update({ publishedRevision, storyId });
    return this.#fields;
  }

  /** Stops the clocks. What waits is on the device. */
  stop(): void {
    if (this.#timers.has("device")) this.#keepOnDevice();
    for (const { timer } of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  #takeCopy(): void {
    const { draft, copies } = this.#options;
    const copy = copies.find(this.id);
    if (!copy) return;
    if (areSame(copy.fields, this.#saved)) return copies.forget(this.id);
    this.#fields = copy.fields;
    // Of what is gone for good nothing is left to choose.
    const revision = draft.revision === 0 ? 0 : copy.revision;
    const conflict = revision === draft.revision ? this.#state.conflict : draft;
    this.#update({ place: "device", at: copy.at, revision, conflict });
    this.#schedule("account", ACCOUNT_MS);
  }

  #schedule(place: "device" | "account", { pause, most }: { pause: number; most: number }): void {
    const now = this.#options.now();
    const waiting = this.#timers.get(place);
    if (waiting) clearTimeout(waiting.timer);
    const since = waiting?.since ?? now;
    const wait = Math.max(0, Math.min(pause, since + most - now));
    const timer = setTimeout(
      () => (place === "device" ? this.#keepOnDevice() : void this.#keepInAccount()),
      wait,
    );
    this.#timers.set(place, { timer, since });
  }

  #settle(place: "device" | "account"): void {
    clearTimeout(this.#timers.get(place)?.timer);
    this.#timers.delete(place);
  }

  #keepOnDevice(): void {
    this.#settle("device");
    const { copies, now } = this.#options;
    const at = now();
    const isKept = copies.keep(this.id, {
      fields: this.#fields,
      revision: this.#state.revision,
      at,
    });
    this.#update(isKept ? { place: "device", at } : { place: "nowhere", at: null });
  }

  #keepInAccount(): Promise<void> {
    this.#settle("account");
    if (this.#state.conflict) return Promise.resolve();
    // The one under way sends afterwards what came meanwhile.
    this.#sending ??= this.#post().finally(() => {
      this.#sending = null;
    });
    return this.#sending;
  }

  async #post(): Promise<void> {
    const fields = this.#fields;
    const intent = this.#intent;
    this.#intent = "save";
    const { revision } = this.#state;
    const { uid, post } = this.#options;
    const reply = await post({ intent, uid, id: this.id, revision, fields });
    const isOwn = reply.status === "conflict" && this.#recognize(reply.theirs);
    if (reply.status === "saved") this.#confirm(fields, reply.draft);
    else if (isOwn) this.#askAgain(intent);
    else if (reply.status === "conflict") this.#update({ conflict: reply.theirs, refusal: null });
    else this.#putOff(reply, fields, intent);
    const isAsked = this.#intent !== "save" && (reply.status === "saved" || isOwn);
    if (isAsked) await this.#post();
  }

  /** Confirms a save that is heard of late, if it is what stands here, or was sent from here while its answer was lost. */
  #recognize(theirs: OpenDraft): boolean {
    if (theirs.deletedAt !== null) return false;
    const fields = toFields(theirs);
    const own = [this.#fields, this.#unheard].find((mine) => mine && areSame(mine, fields));
    if (own) this.#confirm(own, theirs);
    return Boolean(own);
  }

  /** What was asked for meanwhile counts more. */
  #askAgain(intent: DraftIntent): void {
    if (this.#intent === "save") this.#intent = intent;
  }

  #confirm(fields: DraftFields, draft: Omit<OpenDraft, "text">): void {
    this.#saved = fields;
    this.#unheard = null;
    this.#retryMs = FIRST_RETRY_MS;
    const { revision, publishedRevision, storyId, updatedAt } = draft;
    this.#update({ revision, publishedRevision, storyId, refusal: null, conflict: null });
    if (areSame(this.#fields, fields)) {
      this.#settle("device");
      this.#options.copies.forget(this.id);
      this.#update({ place: "account", at: updatedAt });
      return;
    }
    // What was typed meanwhile goes on from this save.
    this.#keepOnDevice();
    this.#schedule("account", ACCOUNT_MS);
  }

  #putOff(refusal: DraftRefusal, fields: DraftFields, intent: DraftIntent): void {
    this.#keepOnDevice();
    this.#update({ refusal });
    // What is wrong with the text itself only a change of it can mend.
    if (refusal.reason === "invalid") return;
    if (refusal.reason === "unreachable") this.#unheard ??= fields;
    this.#askAgain(intent);
    this.#schedule("account", { pause: this.#retryMs, most: this.#retryMs });
    this.#retryMs = Math.min(this.#retryMs * 2, LONGEST_RETRY_MS);
  }

  #update(change: Partial<KeptDraft>): void {
    this.#state = { ...this.#state, ...change };
    for (const notify of this.#subscribers) notify();
  }
}
