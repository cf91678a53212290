import type { DraftRefusal, DraftReply, OpenDraft } from "#app/writing/editor-data.ts";
import {
  areSame,
  fingerprint,
  toFields,
  type DraftFields,
} from "#app/writing/editor/draft-fields.ts";
import { toKept, type KeptDraft, type SavedDraft } from "./autosaved-draft.ts";
import { Backoff } from "./backoff.ts";
import type { DeviceCopies } from "./local-drafts.ts";
import type { DraftIntent, DraftPost } from "./post-draft.ts";

/** A pause in typing, and the longest that typing without one may put off a save. */
const DEVICE_MS = { pause: 400, most: 900 };
const ACCOUNT_MS = { pause: 2000, most: 4000 };

/** While the choice of another text waits for the account. */
const WAITING = {
  status: "refused",
  reason: "unreachable",
  message: "The other text opens as soon as we can reach your account.",
  hint: "We save yours as an earlier version first. If you keep writing, nothing is replaced.",
} as const;

export interface DraftKeeperOptions {
  draft: OpenDraft;
  /** There may be a draft, which the page could not read: nothing of it is in `draft`. @default false */
  isUnreachable?: boolean;
  /** What the form holds: somebody may have typed before the scripts came, or the page came back with their words. */
  typed: DraftFields;
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
  /** What the account holds, and since when, in milliseconds since the Unix epoch. */
  #saved: DraftFields;
  #savedAt: number | null;
  readonly #options: DraftKeeperOptions;
  readonly #subscribers = new Set<() => void>();
  readonly #timers = new Map<
    "device" | "account",
    { timer: ReturnType<typeof setTimeout>; since: number }
  >();
  readonly #backoff = new Backoff();
  #sending: Promise<void> | null = null;
  #intent: DraftIntent = "save";
  /** Whether the user chose what stands here over the save that it goes on from. */
  #isOverwrite = false;
  /** Fingerprints of what was sent since the last answer: it may have arrived all the same. */
  #unheard: string[] = [];
  #isStopped = false;

  constructor(options: DraftKeeperOptions) {
    const { draft, isUnreachable = false, typed, copies } = options;
    this.#options = options;
    this.#saved = toFields(draft);
    this.#savedAt = draft.updatedAt;
    this.#fields = this.#saved;
    this.#state = toKept(draft);
    const isKnown = draft.revision > 0 || isUnreachable || copies.find(draft.id) !== null;
    const id = isKnown ? draft.id : (copies.findBegun() ?? draft.id);
    const copy = copies.find(id);
    const isTyped = !areSame(typed, this.#saved);
    // Neither is written over the other: the copy waits until the draft is opened again.
    const isTaken = copy !== null && (!isTyped || areSame(typed, copy.fields));
    this.id = isTaken ? id : draft.id;
    if (isTaken) this.#takeCopy();
    else this.note(typed);
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

  /** Whether something is still to be sent to the account. */
  get #isOwing(): boolean {
    return this.isAhead || this.#intent !== "save";
  }

  /** What the form should hold at the start: the device may know more than the account. */
  get fields(): DraftFields {
    return this.#fields;
  }

  /** Takes note of what the form holds now. */
  note(fields: DraftFields): void {
    if (areSame(fields, this.#fields)) return;
    this.#fields = fields;
    this.#backoff.wake();
    this.#schedule("device", DEVICE_MS);
    this.#schedule("account", ACCOUNT_MS);
  }

  /**
   * Saves now, and publishes or withdraws with it, unless there is a conflict to be decided first. Resolves when that is
   * done, or waits for better times, with whether something was saved.
   */
  async send(intent: DraftIntent): Promise<boolean> {
    if (this.#state.conflict) return false;
    const { revision } = this.#state;
    this.#intent = intent;
    await (intent === "save" && revision > 0 ? this.#catchUp() : this.#keepInAccount());
    return this.#state.revision !== revision;
  }

  /** Saves now whatever waits. The page may be about to go. */
  flush(): void {
    if (this.#timers.has("device")) this.#keepOnDevice();
    if (this.#timers.has("account")) void this.#catchUp();
  }

  /** Tries again at once what could not be sent: the connection may be back. */
  retry(): void {
    this.#backoff.reset();
    this.#backoff.wake();
    this.flush();
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
    this.#savedAt = kept.at;
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
    this.#askToChoose(theirs);
    return null;
  }

  /** The last save that is known here, wherever it was made. */
  get #newest(): number {
    return (this.#state.conflict ?? this.#state).revision;
  }

  /**
   * Goes on with what stands here. What was saved elsewhere becomes a version with that save. Resolves with whether it was
   * made at the first attempt.
   */
  async keepMine(): Promise<boolean> {
    const { conflict } = this.#state;
    if (!conflict) return false;
    const { revision } = conflict;
    this.#intent = "save";
    this.#isOverwrite = true;
    this.#update({ conflict: null, revision, refusal: null });
    this.#backoff.wake();
    await this.#keepInAccount();
    return this.#state.revision !== revision;
  }

  /**
   * Goes on with what was saved elsewhere, and resolves with it, once what stands here is a version in the account. Until
   * then nothing changes: a choice waits for a better connection, and is dropped with `null` when the user writes on.
   */
  async takeTheirs(): Promise<DraftFields | null> {
    const { conflict } = this.#state;
    if (!conflict) return null;
    this.#intent = "save";
    const fields = this.#fields;
    const isWanted = () =>
      !this.#isStopped && this.#state.conflict === conflict && areSame(fields, this.#fields);
    const { uid, post } = this.#options;
    const target = { intent: "set-aside", uid, id: this.id, revision: conflict.revision } as const;
    let isKept = areSame(fields, toFields(conflict));
    while (!isKept && isWanted()) {
      const reply = await post({ ...target, isOverwrite: true, fields });
      isKept = reply.status === "saved";
      const isFinal = reply.status === "refused" && reply.reason !== "unreachable";
      if (isKept || !isWanted()) continue;
      this.#update({ refusal: isFinal ? reply : WAITING });
      if (isFinal) return null;
      await this.#backoff.wait();
    }
    if (isWanted()) return this.#take(conflict);
    if (this.#state.refusal === WAITING) this.#update({ refusal: null });
    return null;
  }

  #take(theirs: OpenDraft): DraftFields {
    this.#settle("device");
    this.#options.copies.forget(this.id);
    this.#fields = this.#saved = toFields(theirs);
    this.#savedAt = theirs.updatedAt;
    // Should these words be saved again, then by somebody who restored their version.
    this.#unheard = [];
    this.#backoff.reset();
    const { revision, publishedRevision, storyId, updatedAt: at } = theirs;
    const place = "account";
    const rest = { conflict: null, refusal: null };
    this.#update({ place, at, revision, publishedRevision, storyId, ...rest });
    return this.#fields;
  }

  /**
   * Stops the clocks, and sends what waits a last time. It is on the device as well, where another editor may take it over
   * at once: a late answer then touches nothing there.
   */
  stop(): void {
    if (this.#timers.has("device")) this.#keepOnDevice();
    for (const { timer } of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    this.#isStopped = true;
    this.#backoff.wake();
    if (this.#isOwing && this.#state.refusal?.reason !== "invalid") void this.#keepInAccount();
  }

  #takeCopy(): void {
    const { draft, isUnreachable = false, copies } = this.#options;
    const copy = copies.take(this.id);
    if (!copy) return;
    if (areSame(copy.fields, this.#saved)) return copies.forget(this.id);
    this.#fields = copy.fields;
    this.#unheard = copy.sent;
    // Of what is gone for good nothing is left to choose.
    const isGone = draft.revision === 0 && !isUnreachable;
    const isOwn = draft.revision > 0 && copy.sent.includes(fingerprint(this.#saved));
    const revision = isGone || isOwn ? draft.revision : copy.revision;
    const isCurrent = isUnreachable || revision === draft.revision;
    const conflict = isCurrent ? this.#state.conflict : draft;
    this.#isOverwrite = copy.isOverwrite === true && revision === copy.revision && !isGone;
    this.#update({ place: "device", at: copy.at, revision, conflict });
    this.#schedule("account", ACCOUNT_MS);
  }

  #schedule(place: "device" | "account", { pause, most }: { pause: number; most: number }): void {
    if (this.#isStopped) return;
    const now = this.#options.now();
    const waiting = this.#timers.get(place);
    if (waiting) clearTimeout(waiting.timer);
    const since = waiting?.since ?? now;
    const wait = Math.max(0, Math.min(pause, since + most - now));
    const timer = setTimeout(
      () => (place === "device" ? this.#keepOnDevice() : void this.#catchUp()),
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
    if (this.#isStopped && !copies.has(this.id)) return;
    const at = now();
    const isKept = copies.keep(this.id, {
      fields: this.#fields,
      revision: this.#state.revision,
      isOverwrite: this.#isOverwrite,
      sent: this.#unheard,
      at,
    });
    this.#update(isKept ? { place: "device", at } : { place: "nowhere", at: null });
  }

  /** Saves what is not in the account yet. What was taken back since is no reason for a save. */
  #catchUp(): Promise<void> {
    if (this.#isOwing) return this.#keepInAccount();
    this.#settle("account");
    if (!this.#state.conflict && !this.#sending) this.#rest();
    return Promise.resolve();
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
    const sent = fingerprint(fields);
    this.#unheard = [...this.#unheard.filter((one) => one !== sent), sent];
    // After a crash the copy tells what may have arrived.
    const isOnDevice = this.#timers.has("device") || this.#state.place === "device";
    if (isOnDevice || this.isAhead) this.#keepOnDevice();
    const isOverwrite = this.#isOverwrite;
    const reply = await post({ intent, uid, id: this.id, revision, isOverwrite, fields });
    const isOwn = reply.status === "conflict" && this.#recognize(reply.theirs);
    if (reply.status === "saved") this.#confirm(fields, reply.draft);
    else if (isOwn) this.#askAgain(intent);
    else if (reply.status === "conflict") this.#askToChoose(reply.theirs);
    else this.#putOff(reply, sent, intent);
    const isWaiting = this.#isStopped ? this.#isOwing : this.#intent !== "save";
    if (isWaiting && (reply.status === "saved" || isOwn)) await this.#post();
    // What cannot be published can be saved as well as ever.
    if (reply.status === "refused" && reply.reason === "invalid" && intent === "publish") {
      if (this.isAhead) await this.#post();
      this.#update({ refusal: reply });
    }
  }

  /** Confirms a save that is heard of late, if it is what stands here, or was sent from here while its answer was lost. */
  #recognize(theirs: OpenDraft): boolean {
    if (theirs.deletedAt !== null) return false;
    const fields = toFields(theirs);
    const words = fingerprint(fields);
    const isHere = fingerprint(this.#fields) === words;
    if (!isHere && !this.#unheard.includes(words)) return false;
    this.#confirm(isHere ? this.#fields : fields, theirs);
    return true;
  }

  /** A choice that was made over an earlier save counts no more. */
  #askToChoose(theirs: OpenDraft): void {
    this.#isOverwrite = false;
    this.#update({ conflict: theirs, refusal: null });
    this.#backoff.wake();
  }

  /** What was asked for meanwhile counts more. */
  #askAgain(intent: DraftIntent): void {
    if (this.#intent === "save") this.#intent = intent;
  }

  #confirm(fields: DraftFields, draft: Omit<OpenDraft, "text">): void {
    this.#saved = fields;
    this.#savedAt = draft.updatedAt;
    this.#unheard = [];
    this.#isOverwrite = false;
    this.#backoff.reset();
    const { revision, publishedRevision, storyId } = draft;
    this.#update({ revision, publishedRevision, storyId, refusal: null, conflict: null });
    if (areSame(this.#fields, fields)) return this.#rest();
    // What was typed meanwhile goes on from this save.
    this.#keepOnDevice();
    this.#schedule("account", ACCOUNT_MS);
  }

  /** Nothing stands here that is not in the account. */
  #rest(): void {
    this.#settle("device");
    this.#options.copies.forget(this.id);
    const place = this.#state.revision > 0 ? "account" : "nowhere";
    this.#update({ place, at: this.#savedAt, refusal: null });
  }

  #putOff(refusal: DraftRefusal, sent: string, intent: DraftIntent): void {
    // Whatever else was said has not arrived.
    if (refusal.reason !== "unreachable") {
      this.#unheard = this.#unheard.filter((one) => one !== sent);
    }
    this.#keepOnDevice();
    this.#update({ refusal });
    if (refusal.reason === "invalid") {
      // What is wrong with the text itself only a change of it can mend.
      this.#intent = "save";
      return;
    }
    this.#askAgain(intent);
    const wait = this.#backoff.next();
    this.#schedule("account", { pause: wait, most: wait });
  }

  #update(change: Partial<KeptDraft>): void {
    this.#state = { ...this.#state, ...change };
    for (const notify of this.#subscribers) notify();
  }
}
