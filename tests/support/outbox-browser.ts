import type { MessageInput } from "#app/chat/message.ts";
import { createMemoryStore, type OutboxStore } from "#app/chat/outbox/outbox-store.ts";
import type { TabCopy, UnstoredOutbox } from "#app/chat/outbox/tab-copy.ts";
import { createOutbox } from "#app/chat/outbox/outbox.ts";
import { toError, type PostResult } from "#app/chat/post-message.ts";

/** The outcome of one request. After a lost response the message is stored, but the request has failed. */
export type Outcome =
  | "succeeds"
  | "fails"
  | "response is lost"
  | "is denied"
  | "is too fast"
  | "is signed out";

interface Stored {
  id: string;
  text: string;
  uid: string | undefined;
}

/** Creates a browser with a fake server that recognizes stored ids. Its tabs share storage and locks. */
export function createBrowser() {
  const outcomes: Outcome[] = [];
  const posts: MessageInput[] = [];
  const room: Stored[] = [];
  const clock = { now: 0 };
  const waits: { ms: number; finish: () => void }[] = [];
  const locks = new Map<string, Promise<void>>();
  const stores = new Set<{ uid: string; notify: () => void }>();
  const memory = createMemoryStore();
  let lastTransaction: Promise<unknown> = Promise.resolve();
  let ids = 0;
  let responses: (() => void)[] | null = null;

  /** The storage of one tab, which notifies the other tabs. Closing the tab aborts its transactions. */
  function createTabStore(isOpen: () => boolean): OutboxStore {
    const own = new Set<object>();
    /** Starts a transaction once those before it, of all tabs, have ended. */
    async function transact<Result>(run: () => Promise<Result>): Promise<Result> {
      const result = lastTransaction.then(() => (isOpen() ? run() : undefined));
      lastTransaction = result;
      return (await result) ?? (await new Promise<never>(() => {}));
    }
    return {
      get: (uid) => transact(() => memory.get(uid)),
      async update(uid, change) {
        const result = await transact(() => memory.update(uid, change));
        for (const one of stores) if (one.uid === uid && !own.has(one)) one.notify();
        return result;
      },
      isPersistent: () => true,
      subscribe(uid, onChange) {
        const one = { uid, notify: () => isOpen() && onChange() };
        own.add(one);
        stores.add(one);
      },
    };
  }

  async function post(message: MessageInput): Promise<PostResult> {
    posts.push(message);
    const outcome = outcomes.shift() ?? "succeeds";
    if (responses) await new Promise<void>((resolve) => responses?.push(resolve));
    const { id, text, uid } = message;
    if (outcome === "is denied") return toError(message, "denied", "");
    if (outcome === "is signed out") return toError(message, "unauthenticated", "");
    if (outcome === "is too fast") {
      return { ...toError(message, "too-fast", ""), retryAfterMs: 4000 };
    }
    if (outcome === "fails") return toError(message, "unavailable", "");
    if (!room.some((one) => one.id === id)) room.push({ id, text, uid });
    return outcome === "succeeds" ? { status: "sent", id } : toError(message, "unavailable", "");
  }

  return {
    outcomes,
    posts,
    room,
    clock,
    waits,
    texts: () => room.map(({ text }) => text),

    /**
     * Opens a tab. Closing it is like a crash: nothing in it continues.
     *
     * @param tabCopy the copy of a closed tab, to open that tab again
     */
    openTab: (uid = "ana", tabCopy = createTabCopy()) => {
      let isOpen = true;
      const unlockers = new Set<() => void>();
      const outbox = createOutbox({
        uid,
        store: createTabStore(() => isOpen),
        tabCopy,
        post: async (message) => {
          const result = await post(message);
          return isOpen ? result : await new Promise<never>(() => {});
        },
        async withLock(name, task) {
          const previousHolder = locks.get(name) ?? Promise.resolve();
          let unlock = () => {};
          const closed = new Promise<void>((resolve) => (unlock = resolve));
          unlockers.add(unlock);
          const done = previousHolder.then(() =>
            isOpen ? Promise.race([task(), closed]) : undefined,
          );
          locks.set(name, done);
          await done;
          if (!isOpen) await new Promise(() => {});
        },
        wait: (ms) =>
          new Promise((resolve) => {
            waits.push({ ms, finish: resolve });
          }),
        now: () => clock.now,
        createId: () => `id-${(ids += 1)}`,
      });
      return {
        outbox,
        tabCopy,
        close: () => {
          isOpen = false;
          for (const unlock of unlockers) unlock();
        },
        sendText: (text: string) => {
          outbox.setText(text);
          void outbox.send();
        },
        inputText: () => outbox.getState().input?.text ?? "",
        entries: () => outbox.getState().entries.map(({ text, status }) => `${text} ${status}`),
        /** Notifies the outbox of what the feed shows. */
        showStored: () => outbox.markShown(new Set(room.map(({ id }) => id))),
      };
    },

    /** With `true`, delays responses until it is called with `false`. */
    delayResponses: (isOn: boolean) => {
      const delayed = responses ?? [];
      responses = isOn ? [] : null;
      for (const respond of delayed) respond();
    },

    /** Ends all waits, as when the browser is back online. */
    goOnline: () => {
      for (const { finish } of waits.splice(0)) finish();
    },
  };
}

/** Creates a tab copy, with which a test can open a closed tab again. */
function createTabCopy(): TabCopy {
  const copies = new Map<string, UnstoredOutbox>();
  return {
    find: (uid) => copies.get(uid),
    set: (uid, outbox) => void copies.set(uid, outbox),
    clear: (uid) => void copies.delete(uid),
  };
}

/** Lets promises settle, as far as they wait for nothing but each other. */
export async function flushPromises() {
  for (let turns = 0; turns < 100; turns += 1) await Promise.resolve();
}
