import { fetchJson, hasStatus, postForm } from "#app/http/fetch-json.ts";
import { describeError } from "#app/http/form.ts";
import type { ActionError, ActionResult } from "#app/session/action-result.ts";
import { removeBidiControls } from "#app/ui/bdi.tsx";
import type { Message } from "./message.ts";
import type { ReportKind } from "./report.ts";
import { DONE_NOTICES } from "./message-intents.ts";

const HIDDEN_PATH = "/rooms/general/hidden";

/** What the panel says about the last action. The `id` distinguishes two notices with the same text. */
export interface Notice {
  id: number;
  severity: "success" | "error";
  message: string;
  hint?: string | undefined;
}

export interface MessageActionsState {
  /** The messages that the user has deleted on this page, by id. */
  deletions: ReadonlyMap<string, Undoable>;
  /** Those that the server has deleted. */
  deletedIds: ReadonlySet<string>;
  /** The people whose messages are folded. */
  hiddenUids: ReadonlySet<string>;
  /** Messages of hidden people that the user has unfolded, by id. */
  revealedIds: ReadonlySet<string>;
  /** The message that is being edited. */
  editing: Message | null;
  notice: Notice | null;
}

export const EMPTY_STATE: MessageActionsState = {
  deletions: new Map(),
  deletedIds: new Set(),
  hiddenUids: new Set(),
  revealedIds: new Set(),
  editing: null,
  notice: null,
};

export interface MessageActionsOptions {
  /** The signed-in user. */
  uid: string | undefined;
  /** Posts a form. Never rejects. */
  post: typeof postAction;
  now: () => number;
  /** The people who are hidden, as far as this tab has loaded them. */
  hiddenUids?: readonly string[];
  onHiddenChange?: (uids: string[]) => void;
}

export type MessageActions = ReturnType<typeof createMessageActions>;

/** What one user does to messages in this tab: deletes and edits their own, hides people and reports messages. */
export function createMessageActions({
  uid,
  post,
  now,
  hiddenUids = [],
  onHiddenChange,
}: MessageActionsOptions) {
  let state: MessageActionsState = { ...EMPTY_STATE, hiddenUids: new Set(hiddenUids) };
  const subscribers = new Set<() => void>();
  let notices = 0;
  /** Counts the changes of the hidden people, so that an older list does not undo a newer change. */
  let hiddenChanges = 0;

  function update(change: Partial<MessageActionsState>): void {
    state = { ...state, ...change };
    for (const notify of subscribers) notify();
  }

  function notify(severity: Notice["severity"], message: string, hint?: string): void {
    notices += 1;
    update({ notice: { id: notices, severity, message, hint } });
  }

  function setHidden(uids: Iterable<string>): void {
    hiddenChanges += 1;
    update({ hiddenUids: new Set(uids) });
    onHiddenChange?.([...state.hiddenUids]);
  }

  function toFields(form: Record<string, string>): Record<string, string> {
    return uid === undefined ? form : { ...form, uid };
  }

  const deletions = createUndoQueue({
    async send(id) {
      const result = await post(getMessagePath(id), toFields({ intent: "delete" }));
      if (result.status === "done" || result.reason === "gone") {
        update({ deletedIds: new Set([...state.deletedIds, id]) });
        return true;
      }
      notify("error", "We couldn't delete your message.", describeError(result));
      return false;
    },
    now,
    onChange: (queue) => update({ deletions: queue }),
  });

  return {
    subscribe: (notify: () => void): (() => void) => {
      subscribers.add(notify);
      return () => void subscribers.delete(notify);
    },

    getState: (): MessageActionsState => state,

    /** Deletes a message after `UNDO_MS`. */
    delete(id: string): void {
      if (state.deletions.has(id)) return;
      if (state.editing?.id === id) update({ editing: null });
      deletions.add(id);
    },

    undo: deletions.undo,

    /** Sends the deletions that could still be undone. Call it when the user leaves the page or signs out. */
    flush: deletions.flush,

    startEdit: (message: Message): void => update({ editing: message, notice: null }),
    cancelEdit: (): void => update({ editing: null }),

    /** Stores an edited text. Returns the error to show at the field, if there is one. */
    async saveEdit(message: Message, text: string): Promise<ActionError | null> {
      const result = await post(getMessagePath(message.id), toFields({ intent: "edit", text }));
      if (result.status === "error") return result;
      if (state.editing?.id === message.id) update({ editing: null });
      return null;
    },

    /** Hides a person at once, and shows them again if the server rejects that. */
    async hide(person: { uid: string; name: string }): Promise<void> {
      const name = removeBidiControls(person.name);
      setHidden([...state.hiddenUids, person.uid]);
      const form = toFields({ intent: "hide", person: person.uid, name: person.name });
      const result = await post(HIDDEN_PATH, form);
      if (result.status === "done") {
        // A list that was read before may have been loaded meanwhile.
        setHidden([...state.hiddenUids, person.uid]);
        notify("success", `You won't see ${name}'s messages any more.`, DONE_NOTICES.hide.hint);
        return;
      }
      setHidden([...state.hiddenUids].filter((hidden) => hidden !== person.uid));
      notify("error", `We couldn't hide ${name}.`, describeError(result));
    },

    /** Fetches the people that the user has hidden. After an error the list stays as it was. */
    async loadHidden(load: () => Promise<string[] | null>): Promise<void> {
      const changes = hiddenChanges;
      const uids = await load();
      if (uids && changes === hiddenChanges) setHidden(uids);
    },

    /** Unfolds messages of hidden people. */
    reveal(ids: readonly string[]): void {
      update({ revealedIds: new Set([...state.revealedIds, ...ids]) });
    },

    /** Reports a message. Returns the error to show in the dialog, if there is one. */
    async report(
      messageId: string,
      kind: ReportKind,
      details: string,
    ): Promise<ActionError | null> {
      const form = toFields({ intent: "report", kind, details });
      const result = await post(getMessagePath(messageId), form);
      if (result.status === "error") return result;
      notify("success", DONE_NOTICES.report.message);
      return null;
    },

    notify,
    clearNotice: (): void => update({ notice: null }),
  };
}

/** Posts an action by script. The request continues when the user leaves the page. */
export async function postAction(
  path: string,
  form: Record<string, string>,
): Promise<ActionResult> {
  const posted = await postForm(path, form, { keepalive: true });
  if (posted.status === "offline") return toError("You seem to be offline.");
  if (posted.status === "responded" && isResult(posted.body)) return posted.body;
  return toError("We can't reach the room right now.");
}

/** Fetches the ids of the people that a user has hidden; `null` when they cannot be fetched. */
export function fetchHiddenUids(uid: string): Promise<string[] | null> {
  return fetchJson(HIDDEN_PATH, (json) => {
    if (!("uid" in json) || json.uid !== uid || !("hidden" in json)) return null;
    return Array.isArray(json.hidden) ? json.hidden.filter(isString) : null;
  });
}

function isString(value: unknown): value is string {
  return typeof value === "string";
}

function isResult(body: unknown): body is ActionResult {
  return hasStatus(body, ["done", "error"]);
}

/** Returns the address to edit or delete a message at. */
function getMessagePath(id: string): string {
  return `/rooms/general/messages/${id}`;
}

function toError(message: string): ActionError {
  return {
    status: "error",
    reason: "unavailable",
    message,
    hint: "Nothing was changed; try again.",
  };
}

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
