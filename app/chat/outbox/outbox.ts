import {
  MAX_TEXT_LENGTH,
  SIGN_IN_REASONS,
  type MessageError,
  type MessageInput,
} from "#app/chat/message.ts";
import { toError, type PostResult } from "#app/chat/post-message.ts";
import { addLines, addQuote, addReply, splitReply } from "#app/chat/quotes/quote.ts";
import { isVisible } from "#app/http/text.ts";
import {
  openOutboxStore,
  type OutboxEntry,
  type TypedInput,
  type UnfinishedEdit,
} from "./outbox-store.ts";

/** A sent message that the feed does not show within this time was deleted, or pushed out by newer ones. */
const SHOWN_WITHIN_MS = 5000;

/** How many unfinished edits are kept: the last ones. */
const MAX_EDITS = 10;

/** The first wait after a failed attempt. Each later wait is twice as long. */
const FIRST_RETRY_MS = 1000;
/** Short, so that a message is sent within ten seconds after the room can be reached again. */
const MAX_RETRY_MS = 10_000;

/** The reasons that may be temporary, so that the message is sent again. */
const TEMPORARY_REASONS = new Set<MessageError["reason"]>(["unavailable", "too-fast"]);

/** The content of the composer. */
export interface ComposerInput extends MessageInput, TypedInput {
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
  /** `null` if nothing may be stored. */
  storage: Storage | null;
  /** Calls back when another page may have changed the storage. */
  subscribe: (onChange: () => void) => void;
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
  const { uid, storage, subscribe, post, withLock, wait, now, createId } = options;
  const { messages, edits, composer } = openOutboxStore(uid, storage);
  const key = uid ?? "";
  let state = EMPTY_OUTBOX;
  const subscribers = new Set<() => void>();
  let isStarted = false;
  /** Whether the composer's content was stored. It always is from the start on, even if it is empty. */
  let wasStored = false;
  let isSending = false;
  /** Whether the user has to sign in first. */
  let isPaused = false;
  /** Ends the wait before the next attempt. */
  let endWait = () => {};

  function set(change: Partial<OutboxState>): void {
    state = { ...state, ...change };
    for (const notify of subscribers) notify();
  }

  function createInput(): ComposerInput {
    return { id: createId(), text: "", returned: null };
  }

  function getText(): string {
    return state.input?.text ?? "";
  }

  /** Takes over what is stored, because other tabs may have changed it. */
  function load(): void {
    if (wasStored && !composer.isStored(key)) storeAgain();
    wasStored = composer.isStored(key);
    const typed = toTyped(composer.get(key));
    const current = toTyped(state.input);
    const isChanged = isStarted && keepSame(current, typed) !== current;
    set({
      entries: keepSame(state.entries, sort(messages.list())),
      edits: keepSame(state.edits, sort(edits.list())),
      ...(isChanged && { input: { ...createInput(), ...typed } }),
    });
  }

  /** Stores what this tab has, because the user has deleted the site's data. */
  function storeAgain(): void {
    for (const entry of state.entries) messages.set(entry.id, entry);
    for (const edit of state.edits) edits.set(edit.id, edit);
    composer.set(key, toTyped(state.input));
  }

  /** Changes what is stored, on top of what other tabs have changed, and takes over the result. */
  function change(changeStored: () => void): void {
    load();
    changeStored();
    load();
  }

  /** Changes a message, unless another tab has removed it. */
  function update(id: string, fields: Partial<OutboxEntry>): void {
    change(() => {
      const entry = state.entries.find((one) => one.id === id);
      if (entry) messages.set(id, { ...entry, ...fields });
    });
  }

  /** Changes a failed message, unless another tab has removed it or is sending it again. */
  function changeFailed(id: string, changeStored: (entry: OutboxEntry) => void): void {
    set({ error: null });
    change(() => {
      const entry = state.entries.find((one) => one.id === id && one.status === "failed");
      if (entry) changeStored(entry);
    });
  }

  /** Returns a number that is higher than those of things that were changed before. */
  function nextOrder(things: readonly { order: number }[]): number {
    return Math.max(now(), (things.at(-1)?.order ?? 0) + 1);
  }

  /** Before the start only the state has the input, because storing it would overwrite the stored text. */
  function setInput(input: ComposerInput): void {
    if (!isStarted) return set({ input });
    change(() => {
      set({ input });
      composer.set(key, toTyped(input));
    });
  }

  function appendText(lines: string): void {
    const input = state.input ?? createInput();
    setInput({ ...input, text: addLines(input.text, lines) });
  }

  /** Adds a message to what has been typed. Only a reply to the same message, or the only one, keeps its card. */
  function appendMessage(message: MessageInput): void {
    const input = state.input ?? createInput();
    const { text, replyTo, answered } = splitInput(message);
    if (!replyTo || (input.replyTo && input.replyTo !== replyTo)) return appendText(message.text);
    setInput({ ...input, replyTo, answered, text: addLines(input.text, text) });
  }

  /** Adds what was typed before the start to what is stored. */
  function start(): void {
    isStarted = true;
    const stored = toTyped(composer.get(key));
    const typed = toTyped(state.input);
    const isSame = !typed.text || typed.text === stored.text;
    const text = isSame ? stored.text : addLines(stored.text, typed.text);
    const { replyTo, answered } = typed.replyTo ? typed : stored;
    const joined = { text, replyTo, answered };
    composer.set(key, joined);
    if (text || replyTo) set({ input: { ...(state.input ?? createInput()), ...joined } });
    subscribe(() => {
      load();
      void sendWaiting();
    });
  }

  /**
   * Sends the waiting messages, unless this tab is sending already.
   *
   * @param isExpected whether a message is about to wait
   */
  async function sendWaiting(isExpected = false): Promise<void> {
    if (isSending || isPaused || !(isExpected || state.entries.some(isWaiting))) return;
    isSending = true;
    await withLock(`inkglade.outbox.${key}`, sendAll);
    isSending = false;
    // A message may have been added after the last one was sent.
    await sendWaiting();
  }

  async function sendAll(): Promise<void> {
    let retryMs = FIRST_RETRY_MS;
    while (!isPaused) {
      load();
      const next = state.entries.find(isWaiting);
      if (!next) break;
      set({ sending: { id: next.id, since: now() } });
      const result = await post({ ...next, uid });
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
      handleResult(next.id, result);
    }
    set({ delay: null });
  }

  function retryNow(): void {
    if (state.delay?.reason === "unavailable") endWait();
  }

  function handleResult(id: string, result: PostResult): void {
    if (result.status === "sent") {
      return update(id, { status: "sent", stored: { id: result.id, at: now() } });
    }
    set({ error: result });
    if (!SIGN_IN_REASONS.has(result.reason)) return update(id, { status: "failed" });
    isPaused = true;
    if (getText().trim() !== "") return;
    change(() => {
      // The last one, so that the order stays the same: those before it are sent after the sign-in.
      const last = state.entries.findLast(isWaiting);
      if (!last) return;
      const { id, text, replyTo } = last;
      setInput({ ...createInput(), ...splitInput(last), returned: { id, text, replyTo } });
      messages.remove(id);
    });
  }

  return {
    subscribe: (notify: () => void): (() => void) => {
      subscribers.add(notify);
      return () => void subscribers.delete(notify);
    },

    getState: (): OutboxState => state,

    /** Whether waiting messages survive the page. */
    isPersistent: messages.isPersistent,

    /** Starts to send what the browser has stored. Call it again once the user has signed in. */
    start(): void {
      isPaused = false;
      if (state.error && SIGN_IN_REASONS.has(state.error.reason)) set({ error: null });
      if (!isStarted) start();
      load();
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

    /** Adds lines to what has been typed. */
    appendText,

    /** Makes what is typed a reply to a message; `null`: to none. */
    setReply(reply: { id: string; lines: string } | null): void {
      const input = state.input ?? createInput();
      setInput({ ...input, replyTo: reply?.id, answered: reply?.lines });
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
      change(() => {
        if (text === null) return edits.remove(id);
        edits.set(id, { id, text, order: nextOrder(state.edits) });
        const others = state.edits.filter((edit) => edit.id !== id);
        for (const edit of others.slice(0, 1 - MAX_EDITS)) edits.remove(edit.id);
      });
    },

    /**
     * Adds the typed text to the waiting messages, and empties the composer. Before the start the text stays, because the
     * user has to sign in first.
     *
     * @param quote what the message begins with
     * @returns whether it waits now; a text that is too long or empty does not
     */
    send(base = createInput(), quote = ""): boolean {
      const input = state.input ?? base;
      if (!isStarted || !isVisible(input.text)) return false;
      const text = addQuote(toMessageText(input), quote);
      const { replyTo } = input;
      if (text.length > MAX_TEXT_LENGTH) {
        const hint = `A message can have up to ${MAX_TEXT_LENGTH.toLocaleString("en")} characters.`;
        set({ input, error: toError(input, "invalid", hint) });
        return false;
      }
      const { returned } = input;
      const isSame = returned && addQuote(returned.text.trim(), quote) === text;
      const id = isSame ? returned.id : createId();
      isPaused = false;
      set({ error: null });
      // Takes the lock before other tabs get the message, so that an error is shown where the user has pressed Send.
      void sendWaiting(true);
      change(() => {
        messages.set(id, { id, text, replyTo, status: "waiting", order: nextOrder(state.entries) });
        setInput(createInput());
      });
      retryNow();
      void sendWaiting();
      return true;
    },

    /**
     * Ends the wait before the next attempt, because the room can be reached again. A rate-limited message still waits.
     */
    retryNow,

    /** Sends a failed message again, in its place. */
    retry(id: string): void {
      isPaused = false;
      changeFailed(id, (entry) => messages.set(id, { ...entry, status: "waiting" }));
      void sendWaiting();
    },

    /** Moves a failed message into the composer, below what has been typed. */
    edit(id: string): void {
      changeFailed(id, (entry) => {
        appendMessage(entry);
        messages.remove(id);
      });
    },

    /** Removes a failed message. */
    discard(id: string): void {
      changeFailed(id, () => messages.remove(id));
    },

    clearError: (): void => set({ error: null }),

    /** Removes the messages that the feed shows, even those whose response was lost, and those it has not shown in time. */
    markShown(shownIds: ReadonlySet<string>): void {
      const gone = state.entries.filter(
        ({ id, stored }) =>
          shownIds.has(stored?.id ?? id) || (stored && now() - stored.at > SHOWN_WITHIN_MS),
      );
      if (gone.length > 0) change(() => gone.forEach(({ id }) => messages.remove(id)));
      // The feed shows a waiting message, so the server can be reached: only its response was lost.
      if (gone.some(isWaiting)) retryNow();
      const { input } = state;
      if (!input?.returned || !shownIds.has(input.returned.id)) return;
      const isUnchanged = toMessageText(input) === input.returned.text.trim();
      set({ error: null });
      setInput(isUnchanged ? createInput() : { ...input, returned: null });
    },
  };
}

/** Returns the text of the message that the composer would send. */
export function toMessageText({ text, answered = "" }: ComposerInput): string {
  return addReply(text.trim(), answered);
}

/** Returns what the composer shows of a message: the lines of a reply are not in the field. */
function splitInput({ text, replyTo }: MessageInput): Omit<ComposerInput, "id" | "returned"> {
  if (!replyTo) return { text };
  const [answered, answer] = splitReply(text);
  return { text: answer, replyTo, answered };
}

function toTyped(input: TypedInput | null): TypedInput {
  return { text: input?.text ?? "", replyTo: input?.replyTo, answered: input?.answered };
}

function isWaiting({ status }: OutboxEntry): boolean {
  return status === "waiting";
}

function sort<Thing extends { id: string; order: number }>(things: Thing[]): Thing[] {
  return things.toSorted((a, b) => a.order - b.order || (a.id < b.id ? -1 : 1));
}

/** Returns the old value if the new one is the same, to avoid a new render. */
function keepSame<Value>(old: Value, next: Value): Value {
  return JSON.stringify(old) === JSON.stringify(next) ? old : next;
}
