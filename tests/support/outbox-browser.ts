import type { MessageInput } from "#app/chat/message.ts";
import { createOutbox } from "#app/chat/outbox/outbox.ts";
import { toError, type PostResult } from "#app/chat/post-message.ts";
import { FullStorage } from "./memory-storage.ts";

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
  const storage = new FullStorage();
  const tabs = new Set<{ isOpen: boolean; notify: () => void }>();
  let ids = 0;
  let responses: (() => void)[] | null = null;

  /** The storage as one tab uses it. The other tabs are notified a moment later. */
  function openStorage(tab: { isOpen: boolean }): Storage {
    async function notifyOthers() {
      await Promise.resolve();
      for (const other of tabs) if (other !== tab && other.isOpen) other.notify();
    }
    return new Proxy(storage, {
      get(_, name) {
        const value: unknown = Reflect.get(storage, name);
        if (typeof value !== "function") return value;
        return (...args: unknown[]): unknown => {
          const result: unknown = Reflect.apply(value, storage, args);
          if (name === "setItem" || name === "removeItem") void notifyOthers();
          return result;
        };
      },
    });
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
    storage,
    waits,
    texts: () => room.map(({ text }) => text),

    /** Opens a tab. Closing it is like a crash: nothing in it continues. */
    openTab: (uid = "ana") => {
      const tab = { isOpen: true, notify: () => {} };
      tabs.add(tab);
      const unlockers = new Set<() => void>();
      const outbox = createOutbox({
        uid,
        storage: openStorage(tab),
        subscribe: (onChange) => (tab.notify = onChange),
        post: async (message) => {
          const result = await post(message);
          return tab.isOpen ? result : await new Promise<never>(() => {});
        },
        async withLock(name, task) {
          const previousHolder = locks.get(name) ?? Promise.resolve();
          let unlock = () => {};
          const closed = new Promise<void>((resolve) => (unlock = resolve));
          unlockers.add(unlock);
          const done = previousHolder.then(() =>
            tab.isOpen ? Promise.race([task(), closed]) : undefined,
          );
          locks.set(name, done);
          await done;
          if (!tab.isOpen) await new Promise(() => {});
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
        close: () => {
          tab.isOpen = false;
          for (const unlock of unlockers) unlock();
        },
        sendText: (text: string) => {
          outbox.setText(text);
          outbox.send();
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

/** Lets promises settle, as far as they wait for nothing but each other. */
export async function flushPromises() {
  for (let turns = 0; turns < 100; turns += 1) await Promise.resolve();
}
