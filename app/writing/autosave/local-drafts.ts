import type { DraftFields } from "./draft-fields.ts";

/** A copy in this browser of a draft with changes that are not saved to the account yet. */
export interface LocalDraft {
  fields: DraftFields;
  /** The revision it is based on. */
  revision: number;
  /** Whether the user chose it instead of that revision in a conflict. @default false */
  isOverwrite?: boolean;
  /** Fingerprints of texts that were sent without a response, and of the text at that revision. */
  sent: string[];
  /** Milliseconds since the Unix epoch. */
  at: number;
}

export interface LocalDraftsOptions {
  /** The user of the drafts. Other users of this browser do not see them. */
  uid: string;
  /** `null` if the browser denies access to it. */
  storage: Storage | null;
  /** The name of this editor. */
  editor: string;
  /** The other open editors of this browser. Their copies are not used. */
  others: ReadonlySet<string>;
}

/**
 * Gives an editor access to the local copies of one user's drafts: its own, and those of editors that were closed or
 * killed. Each editor writes its own copy, so that two editors never overwrite each other's text.
 */
export function createLocalDrafts({ uid, storage, editor, others }: LocalDraftsOptions) {
  const prefix = `inkglade.draft.${uid}.`;
  const toOwnKey = (id: string) => `${prefix}${id}.${editor}`;
  /** By draft id, the keys of copies that this editor uses but could not move, because storage is full. */
  const unmoved = new Map<string, string>();

  function deleteUnmoved(id: string) {
    storage?.removeItem(unmoved.get(id) ?? "");
    unmoved.delete(id);
  }

  /** Returns all copies except those of other open editors, newest first. */
  function list(): { key: string; id: string; copy: LocalDraft }[] {
    const keys = storage ? Object.keys(storage).filter((key) => key.startsWith(prefix)) : [];
    const copies = keys.flatMap((key) => {
      const [id = "", owner = ""] = key.slice(prefix.length).split(".");
      const copy = others.has(owner) ? null : parse(storage?.getItem(key) ?? null);
      return copy ? { key, id, copy } : [];
    });
    return copies.toSorted((one, other) => other.copy.at - one.copy.at);
  }

  return {
    /** Returns whether the copy was stored. Storage may be denied or full. */
    set(id: string, copy: LocalDraft): boolean {
      try {
        storage?.setItem(toOwnKey(id), JSON.stringify(copy));
        deleteUnmoved(id);
        return storage !== null;
      } catch {
        return false;
      }
    },

    /** Whether this editor has its own copy. Another editor may have taken it over. */
    has(id: string): boolean {
      return Boolean(storage?.getItem(toOwnKey(id)));
    },

    /** Returns the newest copy of a draft. Older copies stay for the next editor. */
    find(id: string): LocalDraft | null {
      return list().find((one) => one.id === id)?.copy ?? null;
    },

    /** Returns the newest copy of a draft, and makes it this editor's own. */
    claim(id: string): LocalDraft | null {
      const newest = list().find((one) => one.id === id);
      if (!newest || newest.key === toOwnKey(id)) return newest?.copy ?? null;
      // While storage is full, do not remove the original: it may be the only copy.
      if (this.set(id, newest.copy)) storage?.removeItem(newest.key);
      else unmoved.set(id, newest.key);
      return newest.copy;
    },

    /** Returns the id of the newest draft that was never saved to the account. */
    findUnsaved(): string | null {
      return list().find(({ copy }) => copy.revision === 0)?.id ?? null;
    },

    delete(id: string): void {
      storage?.removeItem(toOwnKey(id));
      deleteUnmoved(id);
    },
  };
}

export type LocalDrafts = ReturnType<typeof createLocalDrafts>;

/** Checks only the outer shape, because no other code writes these keys. */
function parse(stored: string | null): LocalDraft | null {
  try {
    const copy: unknown = JSON.parse(stored ?? "null");
    const isCopy = typeof copy === "object" && copy !== null && "fields" in copy && "sent" in copy;
    return isCopy ? (copy as LocalDraft) : null;
  } catch {
    return null;
  }
}
