import { Autosave } from "#app/writing/autosave/autosave.ts";
import { toFields, type DraftFields } from "#app/writing/autosave/draft-fields.ts";
import { createLocalDrafts } from "#app/writing/autosave/local-drafts.ts";
import type { DraftPost } from "#app/writing/autosave/post-draft.ts";
import type { SavedDraft } from "#app/writing/autosave/state.ts";
import type { OpenDraft, SaveResult } from "#app/writing/editor-data.ts";
import { MemoryAccount, type SavedChange } from "./autosave-account.ts";
import { NEW_DRAFT, UNAVAILABLE } from "./autosave.ts";
import { MemoryStorage } from "./memory-storage.ts";

const CLIENT_TIMEOUT_MS = 30_000;

const SIGNED_OUT = { ...UNAVAILABLE, reason: "unauthenticated" } as const;

/** How the network treats one request. Times are in milliseconds. */
export interface Delivery {
  /** `request`: lost on the way to the server. `response`: lost on the way back. */
  lost: "nothing" | "request" | "response";
  requestMs: number;
  responseMs: number;
}

export interface Tab {
  browser: Browser;
  uid: string;
  editor: string;
  autosave: Autosave;
  form: DraftFields;
  /** The words that have not been sent yet, with the time when each was typed. */
  recent: Map<string, number>;
  isSaving: boolean;
  /** Whether the page was closed without running any more code. */
  isGone: boolean;
}

export interface Browser {
  storage: MemoryStorage;
  isOnline: boolean;
  /** The signed-in user; `null` after the session has expired. */
  session: string | null;
  tabs: Tab[];
}

/** Browsers, a network and an account in memory, with a simulated clock. */
export class AutosaveWorld {
  now = 1_000_000;
  readonly account = new MemoryAccount(
    () => this.now,
    (change) => {
      this.#checkOverwrite(change);
      this.#notify(change.uid, change.after.id);
    },
  );
  readonly browsers: Browser[] = [];
  /** Words that may be lost: deleted on purpose, or typed less than a second before a crash. */
  readonly excused = new Set<string>();
  /** All typed words, with their user. */
  readonly typed = new Map<string, string>();
  readonly violations: string[] = [];
  readonly #deliveries: Delivery[];
  readonly #scheduled: { at: number; order: number; run: () => void }[] = [];
  #order = 0;
  #editors = 0;
  #words = 0;

  constructor(deliveries: Delivery[], browserCount = 2) {
    this.#deliveries = [...deliveries];
    for (let count = 0; count < browserCount; count += 1) {
      const storage = new MemoryStorage();
      this.browsers.push({ storage, isOnline: true, session: "ana", tabs: [] });
    }
  }

  get tabs(): Tab[] {
    return this.browsers.flatMap(({ tabs }) => tabs);
  }

  after(ms: number, run: () => void): () => void {
    const entry = { at: this.now + ms, order: (this.#order += 1), run };
    this.#scheduled.push(entry);
    return () => {
      const index = this.#scheduled.indexOf(entry);
      if (index >= 0) this.#scheduled.splice(index, 1);
    };
  }

  advance(ms: number): void {
    const end = this.now + ms;
    for (;;) {
      let next = this.#scheduled[0];
      for (const entry of this.#scheduled) {
        const isEarlier =
          next && (entry.at < next.at || (entry.at === next.at && entry.order < next.order));
        if (isEarlier) next = entry;
      }
      if (!next || next.at > end) break;
      this.#scheduled.splice(this.#scheduled.indexOf(next), 1);
      this.now = Math.max(this.now, next.at);
      next.run();
    }
    this.now = end;
  }

  /** Opens a draft in a new tab, as its page does. */
  open(browser: Browser, id: string, uid = browser.session ?? "ana"): Tab {
    const stored = this.account.drafts.get(`${uid}/${id}`);
    const isUnavailable = !browser.isOnline;
    const draft = stored && !isUnavailable ? { ...stored } : { ...NEW_DRAFT, id };
    const editor = `editor${(this.#editors += 1)}`;
    const others = new Set(browser.tabs.map((tab) => tab.editor));
    const { storage } = browser;
    let tab: Tab | undefined;
    const whileOpen =
      <Args extends unknown[]>(run: (...args: Args) => void) =>
      (...args: Args) => {
        if (!tab?.isGone) run(...args);
      };
    const autosave = new Autosave(
      { draft, isUnavailable, isRequested: true, typed: toFields(draft), uid },
      {
        localDrafts: createLocalDrafts({ uid, storage, editor, others }),
        post: (post, onResult) => {
          const isSave = post.intent !== "save-version";
          if (tab) this.#removeSent(tab, post.fields.text);
          if (tab && isSave && tab.isSaving) this.violations.push("two saves at once");
          if (tab && isSave) tab.isSaving = true;
          const onEnd = (result: SaveResult) => {
            if (tab && isSave) tab.isSaving = false;
            onResult(result);
          };
          this.#post(browser, post, whileOpen(onEnd));
        },
        fetchDraft: (_, onDraft, onError) =>
          this.#fetch(tab ?? null, whileOpen(onDraft), whileOpen(onError)),
        replaceFields: (fields) => {
          if (!tab) return;
          this.#checkReplacement(tab, fields.text);
          tab.form = fields;
        },
        announce: (_, saved) => {
          if (tab) this.#announce(tab, saved);
        },
        startTimer: (ms, onEnd) => this.after(ms, whileOpen(onEnd)),
        now: () => this.now,
      },
    );
    const recent = new Map<string, number>();
    tab = {
      browser,
      uid,
      editor,
      autosave,
      form: autosave.fields,
      recent,
      isSaving: false,
      isGone: false,
    };
    browser.tabs.push(tab);
    return tab;
  }

  type(tab: Tab): void {
    const word = `${tab.uid}${(this.#words += 1)}.`;
    this.typed.set(word, tab.uid);
    tab.recent.set(word, this.now);
    // The account normalizes titles, so the response differs from the sent title.
    tab.form = { ...tab.form, title: ` ${word}  `, text: `${tab.form.text}${word}` };
    tab.autosave.change(tab.form);
  }

  /** Closes a tab properly, as a navigation to another page does. */
  close(tab: Tab): void {
    tab.autosave.stop();
    this.#removeTab(tab);
  }

  /** Closes a tab without running any of its code. Its requests are still delivered. */
  kill(tab: Tab): void {
    for (const [word, at] of tab.recent) {
      const isStored = this.getLocalText(tab.browser).includes(word);
      if (!isStored && this.now - at <= 900) this.excused.add(word);
    }
    this.#removeTab(tab);
    tab.isGone = true;
  }

  reload(tab: Tab, isCrash: boolean): void {
    if (isCrash) this.kill(tab);
    else {
      tab.autosave.flush();
      this.#removeTab(tab);
      tab.isGone = true;
    }
    this.open(tab.browser, tab.autosave.id, tab.uid);
  }

  trash(uid: string, id: string, isTrashed: boolean): void {
    const stored = this.account.drafts.get(`${uid}/${id}`);
    if (!stored || (stored.deletedAt !== null) === isTrashed) return;
    stored.revision += 1;
    stored.deletedAt = isTrashed ? this.now : null;
    this.#notify(uid, id);
  }

  deletePermanently(uid: string, id: string): void {
    const stored = this.account.drafts.get(`${uid}/${id}`);
    if (!stored || stored.deletedAt === null) return;
    const text = [stored.text, ...this.account.getVersions(`${uid}/${id}`)].join("");
    for (const word of this.typed.keys()) if (text.includes(word)) this.excused.add(word);
    this.account.drafts.delete(`${uid}/${id}`);
    this.account.versions.delete(`${uid}/${id}`);
  }

  /** Delivers all later requests with a short delay and without loss. */
  repairNetwork(): void {
    this.#deliveries.length = 0;
  }

  setOnline(browser: Browser, isOnline: boolean): void {
    const isBack = isOnline && !browser.isOnline;
    browser.isOnline = isOnline;
    if (!isBack) return;
    for (const tab of browser.tabs) {
      tab.autosave.retry();
      const stored = this.account.drafts.get(`${tab.uid}/${tab.autosave.id}`);
      if (stored) this.after(100, () => tab.autosave.onRemoteChange(stored.revision));
    }
  }

  /** Signs a user in or out. After a sign-in, the tabs whose save failed try again, as when the user returns to them. */
  setSession(browser: Browser, session: string | null): void {
    browser.session = session;
    for (const tab of browser.tabs) {
      if (session !== null && tab.autosave.getStatus().error) tab.autosave.retry();
    }
  }

  /** Returns the text of all local copies in a browser, or only those of one user. */
  getLocalText({ storage }: Browser, uid = ""): string {
    const keys = Object.keys(storage).filter((key) => key.startsWith(`inkglade.draft.${uid}`));
    return keys.map((key) => storage.getItem(key) ?? "").join("");
  }

  /** Returns the typed words that are stored neither locally nor in the account. */
  findLost(): string[] {
    return [...this.typed].flatMap(([word, uid]) => {
      const local = this.browsers.map((browser) => this.getLocalText(browser, uid)).join("");
      const isSafe = this.account.getText(uid).includes(word) || local.includes(word);
      return isSafe || this.excused.has(word) ? [] : [word];
    });
  }

  #removeTab(tab: Tab): void {
    tab.browser.tabs.splice(tab.browser.tabs.indexOf(tab), 1);
  }

  #removeSent(tab: Tab, text: string): void {
    for (const word of tab.recent.keys()) if (text.includes(word)) tab.recent.delete(word);
  }

  #checkReplacement(tab: Tab, text: string): void {
    const kept = text + this.account.getText(tab.uid);
    for (const word of this.typed.keys()) {
      const isLost = tab.form.text.includes(word) && !kept.includes(word);
      if (isLost && !this.excused.has(word)) this.violations.push(`${word} was replaced`);
    }
  }

  #post(browser: Browser, post: DraftPost, onResult: (result: SaveResult) => void): void {
    const delivery = this.#deliveries.shift() ?? { lost: "nothing", requestMs: 50, responseMs: 50 };
    let hasResponded = false;
    const respond = (result: SaveResult) => {
      if (hasResponded) return;
      hasResponded = true;
      onResult(result);
    };
    if (!browser.isOnline || delivery.lost === "request") {
      this.after(100, () => respond(UNAVAILABLE));
      return;
    }
    this.after(CLIENT_TIMEOUT_MS, () => respond(UNAVAILABLE));
    const session = browser.session;
    this.after(delivery.requestMs, () => {
      const result = session === post.uid ? this.account.save(post) : SIGNED_OUT;
      const isLost = delivery.lost === "response";
      this.after(delivery.responseMs, () => respond(isLost ? UNAVAILABLE : result));
    });
  }

  #checkOverwrite({ uid, before, after }: SavedChange): void {
    if (!before) return;
    const kept = [after.text, ...this.account.getVersions(`${uid}/${after.id}`)].join("");
    for (const word of this.typed.keys()) {
      if (before.text.includes(word) && !kept.includes(word)) {
        this.violations.push(`${word} was overwritten without a version`);
      }
    }
  }

  /** Notifies the live listeners of all devices. */
  #notify(uid: string, id: string): void {
    for (const tab of this.tabs) {
      if (tab.uid !== uid || tab.autosave.id !== id) continue;
      this.after(80, () => {
        const stored = this.account.drafts.get(`${uid}/${id}`);
        const { isOnline, tabs } = tab.browser;
        if (stored && isOnline && tabs.includes(tab)) tab.autosave.onRemoteChange(stored.revision);
      });
    }
  }

  #announce(from: Tab, saved: SavedDraft): void {
    for (const tab of from.browser.tabs) {
      const isOther = tab !== from && tab.uid === from.uid && tab.autosave.id === from.autosave.id;
      if (isOther) this.after(5, () => tab.autosave.onTabSaved(saved));
    }
  }

  #fetch(tab: Tab | null, onDraft: (draft: OpenDraft | null) => void, onError: () => void): void {
    if (!tab) return;
    const { browser, uid, autosave } = tab;
    this.after(60, () => {
      if (!browser.isOnline || browser.session !== uid) return onError();
      const stored = this.account.drafts.get(`${uid}/${autosave.id}`);
      const draft = stored ? { ...stored } : null;
      this.after(60, () => onDraft(draft));
      return undefined;
    });
  }
}
