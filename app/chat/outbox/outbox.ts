import {
  MAX_TEXT_LENGTH,
  SIGN_IN_REASONS,
  type MessageError,
  type MessageInput,
} from "#app/chat/message.ts";
import { toError, type PostResult } from "#app/chat/post-message.ts";
import { addLines, addQuote } from "#app/chat/quotes/quote.ts";
import { isVisible } from "#app/http/visible-text.ts";
import {
  append,
  markFailed,
  markSent,
  markWaiting,
  remove,
  removeFailed,
  removeShown,
  setEdit,
} from "./outbox-changes.ts";
import type {
  OutboxEntry,
  OutboxStore,
  StoredInput,
  StoredOutbox,
  UnfinishedEdit,
} from "./outbox-store.ts";
import { addUnstored, addWaiting, type TabCopy } from "./tab-copy.ts";

/** The first wait after a failed attempt. Each later wait is twice as long. */
const FIRST_RETRY_MS = 1000;
/** Short, so that a message is sent within ten seconds after the room can be reached again. */
const MAX_RETRY_MS = 10_000;

/** The reasons that may be temporary, so that the message is sent again. */
const TEMPORARY_REASONS = new Set<MessageError["reason"]>(["unavailable", "too-fast"]);

/** The text in the composer. */
export interface ComposerInput extends MessageInput {
  /** A message that may have been stored: the same text is sent again under the same id. */
  returned: MessageInput | null;
}

export interface OutboxState {
  /** `null` until something is typed on this page. */
  input: ComposerInput | null;
  entries: readonly OutboxEntry[];
  /** What is typed in the editors of stored messages. */
  edits: readonly UnfinishedEdit[];
  /** The message that this tab is sending, and since when, in milliseconds since the Unix epoch. */
  sending: { id: string; since: number } | null;
  /** Why messages wait for the next attempt. */
  delay: MessageError | null;
  error: MessageError | null;
}

export const EMPTY_OUTBOX: OutboxState = {
  input: null,
  entries: [],
  edits: [],
  sending: null,
  delay: null,
  error: null,
};

export interface OutboxOptions {
  /** The user who writes the messages; `undefined` for a visitor. */
  uid: string | undefined;
  store: OutboxStore;
  /** `null` if nothing may be stored. */
  tabCopy: TabCopy | null;
  post: (message: MessageInput) => Promise<PostResult>;
  /** Runs a task once no other tab of this browser runs one of that name. */
  withLock: (name: string, task: () => Promise<void>) => Promise<void>;
  /** Resolves after that many milliseconds, or earlier when the browser is back online. */
  wait: (ms: number) => Promise<void>;
  now: () => number;
  createId: () => string;
}

export type Outbox = ReturnType<typeof createOutbox>;

/**
 * Stores one user's messages until the server has them, and sends them in order, one at a time over all tabs. A message
 * has one id for every attempt, so the server recognizes it if only the response was lost.
 *
 * While the server is unavailable the messages wait, and are sent automatically. A message that the server rejects
 * stays as `failed`, and the next one is sent. If the user has to sign in, the last message returns to the composer, and
 * those before it wait.
 */
export function createOutbox(options: OutboxOptions) {
  const { uid, store, tabCopy, post, withLock, wait, now, createId } = options;
  const key = uid ?? "";
  let state = EMPTY_OUTBOX;
  const subscribers = new Set<() => void>();
  /** The number of updates that the store does not have yet. */
  let pendingUpdates = 0;
  /** The number of pending updates that change the entries. */
  let pendingChanges = 0;
  let loading: Promise<void> | undefined;
  let isLoaded = false;
  let isSending = false;
  /** Whether the user has to sign in first. */
  let isPaused = false;
  /** Ends the wait before the next attempt. */
  let endWait = () => {};
  /** The input text in the store, and when this tab last changed the input. */
  let storedText = "";
  let inputTime = 0;

  function set(change: Partial<OutboxState>): void {
    state = { ...state, ...change };
    for (const notify of subscribers) notify();
  }

  function createInput(text = ""): ComposerInput {
    return { id: createId(), text, returned: null };
  }

  function getText(): string {
    return state.input?.text ?? "";
  }

  /** @param input also replaces the stored input, in the same transaction */
  async function change(
    changeEntries: (entries: readonly OutboxEntry[]) => readonly OutboxEntry[],
    input: StoredInput | null = null,
  ): Promise<void> {
    const entries = changeEntries(state.entries);
    if (entries === state.entries && !input) return;
    set({ entries });
    pendingChanges += 1;
    const stored = await update((before) => ({
      ...before,
      ...input,
      entries: changeEntries(before.entries),
    }));
    pendingChanges -= 1;
    if (pendingChanges === 0) setEntries(stored.entries);
  }

  async function update(
    changeStored: (stored: StoredOutbox) => StoredOutbox,
  ): Promise<StoredOutbox> {
    pendingUpdates += 1;
    setTabCopy({ inputText: getText(), inputTime });
    const stored = await store.update(key, changeStored);
    pendingUpdates -= 1;
    if (isLoaded) clearTabCopy();
    setEdits(stored);
    return stored;
  }

  /** Sets the tab's copy. Until the outbox is loaded, the copy may contain messages that are still to be stored. */
  function setTabCopy(input: Required<StoredInput>): void {
    const waiting = state.entries.filter(({ status }) => status === "waiting");
    tabCopy?.set(
      key,
      isLoaded ? { ...input, waiting, edits: state.edits } : addWaiting(tabCopy.find(key), waiting),
    );
  }

  /** Clears the tab's copy once the store has everything in it. */
  function clearTabCopy(): void {
    if (pendingUpdates === 0 && store.isPersistent()) tabCopy?.clear(key);
  }

  /** Keeps the entries of this tab if the store has the same, to avoid a new render. */
  function setEntries(entries: readonly OutboxEntry[]): void {
    if (JSON.stringify(entries) !== JSON.stringify(state.entries)) set({ entries });
  }

  /** Takes the stored edits over, unless what was typed since then is still to be stored. */
  function setEdits({ edits = [] }: StoredOutbox): void {
    if (pendingUpdates > 0 || JSON.stringify(edits) === JSON.stringify(state.edits)) return;
    set({ edits });
  }

  function setInput(input: ComposerInput): void {
    set({ input });
    const changed = toStoredInput(input.text);
    if (changed) void update((before) => ({ ...before, ...changed }));
  }

  /**
   * Returns a text to store, or `null` if the store has it. Before the outbox is loaded, saving would overwrite the stored
   * text.
   */
  function toStoredInput(text: string): StoredInput | null {
    if (!isLoaded || text === storedText) return null;
    storedText = text;
    inputTime = now();
    return { inputText: text, inputTime };
  }

  async function load(): Promise<void> {
    store.subscribe(key, () => void refresh().then(sendWaiting));
    const unstored = tabCopy?.find(key);
    const stored = unstored ? await store.update(key, addUnstored(unstored)) : await store.get(key);
    const { entries, inputText } = stored;
    clearTabCopy();
    isLoaded = true;
    setEdits(stored);
    if (pendingChanges === 0) setEntries(entries);
    storedText = inputText;
    const typed = getText();
    const texts = inputText === typed ? [typed] : [inputText, typed];
    const text = texts.filter(Boolean).join("\n");
    if (text) setInput({ ...(state.input ?? createInput()), text });
  }

  async function refresh(): Promise<void> {
    const textBefore = storedText;
    const stored = await store.get(key);
    const { entries, inputText } = stored;
    if (pendingChanges === 0) setEntries(entries);
    setEdits(stored);
    // Text that was typed during the read is newer than the stored text that it returned.
    const isUntouched = getText() === storedText && storedText === textBefore;
    if (!isUntouched || inputText === storedText) return;
    storedText = inputText;
    set({ input: createInput(inputText) });
  }

  /** Sends the waiting messages, unless this tab is sending already. */
  async function sendWaiting(): Promise<void> {
    const isWaiting = state.entries.some(({ status }) => status === "waiting");
    if (!isLoaded || isSending || isPaused || !isWaiting) return;
    isSending = true;
    await withLock(`inkglade.outbox.${key}`, sendAll);
    isSending = false;
    // A pending change sends the next message itself, once the store has the change.
    if (pendingChanges === 0) await sendWaiting();
  }

  async function sendAll(): Promise<void> {
    let retryMs = FIRST_RETRY_MS;
    while (!isPaused) {
      const { entries } = await store.get(key);
      const next = entries.find(({ status }) => status === "waiting");
      if (!next) {
        if (pendingChanges === 0) setEntries(entries);
        break;
      }
      const { id, text } = next;
      set({ sending: { id, since: now() } });
      const result = await post({ id, text, ...(uid !== undefined && { uid }) });
      set({ sending: null });
      if (result.status === "error" && TEMPORARY_REASONS.has(result.reason)) {
        set({ delay: result });
        let isReachable = false;
        const reachable = new Promise<void>((resolve) => {
          endWait = () => {
            isReachable = true;
            resolve();
          };
        });
        await Promise.race([wait(result.retryAfterMs ?? retryMs), reachable]);
        retryMs = isReachable ? FIRST_RETRY_MS : Math.min(2 * retryMs, MAX_RETRY_MS);
        continue;
      }
      retryMs = FIRST_RETRY_MS;
      set({ delay: null });
      await handleResult(next, result);
    }
    set({ delay: null });
  }

  function retryNow(): void {
    if (state.delay?.reason === "unavailable") endWait();
  }

  async function handleResult(entry: OutboxEntry, result: PostResult): Promise<void> {
    if (result.status === "sent") {
      return await change(markSent(entry.id, { id: result.id, at: now() }));
    }
    set({ error: result });
    if (!SIGN_IN_REASONS.has(result.reason)) return await change(markFailed(entry.id, result));
    isPaused = true;
    if (getText().trim() !== "") return;
    // The last one, so that the order stays the same: those before it are sent after the sign-in.
    const { id, text } = state.entries.findLast(({ status }) => status === "waiting") ?? entry;
    setInput({ ...createInput(text), returned: { id, text } });
    await change(remove(id));
  }

  return {
    subscribe: (notify: () => void): (() => void) => {
      subscribers.add(notify);
      return () => void subscribers.delete(notify);
    },

    getState: (): OutboxState => state,

    /** Whether waiting messages survive the page. */
    isPersistent: store.isPersistent,

    /**
     * Loads what the browser has stored, and starts to send the waiting messages. Call it again once the user has signed
     * in.
     */
    async start(): Promise<void> {
      isPaused = false;
      if (state.error && SIGN_IN_REASONS.has(state.error.reason)) set({ error: null });
      await (loading ??= load());
      void sendWaiting();
    },

    /** Starts with a message that was submitted without scripts. What has been typed since takes precedence. */
    restore(input: ComposerInput, error: MessageError | null): void {
      set({ error });
      if (!state.input) setInput(input);
    },

    /** @param base the composer's content, if nothing has been typed on this page before */
    setText(text: string, base = createInput()): void {
      setInput({ ...(state.input ?? base), text });
    },

    /**
     * Resolves when everything typed so far is stored, or could not be stored. The store responds in order, so a read
     * is answered after the writes before it.
     */
    async waitUntilStored(): Promise<void> {
      await store.get(key);
    },

    /** Adds lines to what has been typed. */
    appendText(lines: string): void {
      const input = state.input ?? createInput();
      setInput({ ...input, text: addLines(input.text, lines) });
    },

    /** Empties the composer, and returns the text that was in it. */
    clearText(): string {
      const text = getText();
      if (text.trim() === "") return "";
      set({ error: null });
      setInput(createInput());
      return text;
    },

    /**
     * Keeps what is typed in the editor of a stored message.
     *
     * @param text `null` once it is saved or cancelled
     */
    setEdit(id: string, text: string | null): void {
      const changeEdits = setEdit(id, text);
      set({ edits: changeEdits(state.edits) });
      void update((before) => ({ ...before, edits: changeEdits(before.edits) }));
    },

    /**
     * Adds the typed text to the waiting messages, and empties the composer.
     *
     * @param quote what the message begins with
     */
    async send(base = createInput(), quote = ""): Promise<void> {
      const input = state.input ?? base;
      if (!isVisible(input.text)) return;
      const text = addQuote(input.text.trim(), quote);
      if (text.length > MAX_TEXT_LENGTH) {
        const hint = `A message can have up to ${MAX_TEXT_LENGTH.toLocaleString("en")} characters.`;
        set({ input, error: toError(input, "invalid", hint) });
        return;
      }
      const { returned } = input;
      const isSame = returned && addQuote(returned.text.trim(), quote) === text;
      const id = isSame ? returned.id : createId();
      isPaused = false;
      set({ error: null, input: createInput() });
      const stored = change(append({ id, text, status: "waiting" }), toStoredInput(""));
      retryNow();
      // Before `await`, so that this tab takes the lock before other tabs get the message. The store responds in order.
      void sendWaiting();
      await stored;
      void sendWaiting();
    },

    /**
     * Ends the wait before the next attempt, because the room can be reached again. A rate-limited message still waits.
     */
    retryNow,

    /** Sends a failed message again, after the messages that wait. */
    async retry(id: string): Promise<void> {
      isPaused = false;
      set({ error: null });
      await change(markWaiting(id));
      void sendWaiting();
    },

    /** Moves a failed message into the composer, below what has been typed. */
    async edit(id: string): Promise<void> {
      set({ error: null });
      let text: string | undefined;
      const changed = change((entries) => {
        text = entries.find((entry) => entry.id === id && entry.status === "failed")?.text;
        return removeFailed(id)(entries);
      });
      // Keeps the text in the tab's copy until it is in the composer.
      pendingUpdates += 1;
      if (text) setTabCopy({ inputText: addLines(getText(), text), inputTime: now() });
      await changed;
      pendingUpdates -= 1;
      // If there is no text, another tab has sent or edited the message meanwhile.
      if (text !== undefined) this.appendText(text);
      else clearTabCopy();
    },

    /** Removes a failed message. */
    async discard(id: string): Promise<void> {
      set({ error: null });
      await change(removeFailed(id));
    },

    clearError: (): void => set({ error: null }),

    /** Removes the messages that the feed shows, by the ids of the user's messages in it. */
    markShown(shownIds: ReadonlySet<string>): void {
      const isStored = state.entries.some(
        ({ id, status }) => status === "waiting" && shownIds.has(id),
      );
      const changed = change(removeShown(shownIds, now()));
      // The feed shows a waiting message, so the server can be reached: only its response was lost.
      if (isStored) void changed.then(retryNow);
      const { input } = state;
      if (!input?.returned || !shownIds.has(input.returned.id)) return;
      const isUnchanged = input.text === input.returned.text;
      set({ error: null });
      setInput(isUnchanged ? createInput() : { ...input, returned: null });
    },
  };
}
