/** How long an action can be undone. */
export const UNDO_MS = 10_000;

/** `waiting`: the user can undo it. `sent`: the server does it, or has done it. */
export type Undoable = { status: "waiting"; until: number } | { status: "sent" };

export interface UndoQueueOptions {
  /** Sends an action. Returns whether it stays in the queue, as sent. Never rejects. */
  send: (id: string) => Promise<boolean>;
  now: () => number;
  onChange: (queue: ReadonlyMap<string, Undoable>) => void;
}

/** Actions, by id, each sent `UNDO_MS` after it was added, unless the user undoes it. */
export function createUndoQueue({ send, now, onChange }: UndoQueueOptions) {
  let queue: ReadonlyMap<string, Undoable> = new Map();
  const timers = new Map<string, ReturnType<typeof setTimeout>>();

  function set(id: string, item: Undoable | null): void {
    const next = new Map(queue);
    if (item) next.set(id, item);
    else next.delete(id);
    queue = next;
    onChange(queue);
  }

  function remove(id: string): void {
    clearTimeout(timers.get(id));
    timers.delete(id);
    set(id, null);
  }

  async function sendNow(id: string): Promise<void> {
    clearTimeout(timers.get(id));
    timers.delete(id);
    set(id, { status: "sent" });
    if (!(await send(id))) set(id, null);
  }

  return {
    add(id: string): void {
      if (queue.has(id)) return;
      timers.set(
        id,
        setTimeout(() => void sendNow(id), UNDO_MS),
      );
      set(id, { status: "waiting", until: now() + UNDO_MS });
    },

    undo: (id: string): void => {
      if (queue.get(id)?.status === "waiting") remove(id);
    },

    /** Forgets an action. It is not sent any more. */
    remove,

    /** Sends what could still be undone. Call it when the user leaves the page or signs out. */
    flush: async (): Promise<void> => {
      await Promise.all([...timers.keys()].map(sendNow));
    },
  };
}
