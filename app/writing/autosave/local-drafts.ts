import type { DraftFields } from "#app/writing/editor/draft-fields.ts";

/** What a browser keeps of a draft that is not in the account yet. */
export interface DeviceCopy {
  fields: DraftFields;
  /** The save that it goes on from. */
  revision: number;
  /** Whether the user chose it over that save in a conflict. @default false */
  isOverwrite?: boolean;
  /** Fingerprints of what was sent since, and may have arrived. */
  sent: string[];
  /** Milliseconds since the Unix epoch. */
  at: number;
}

export interface DeviceCopiesOptions {
  /** Whose drafts they are. Somebody else who signs in here does not find them. */
  uid: string;
  /** `null` where it is denied. */
  storage: Storage | null;
  /** Names this editor. */
  editor: string;
  /** The other editors that are open in this browser, whose copies are theirs. */
  others: ReadonlySet<string>;
}

/**
 * The copies of one person's drafts in this browser, as one editor sees them: its own, and those of editors that were
 * closed or killed. Each editor writes a copy of its own, so that two of them never overwrite each other's words.
 */
export function createDeviceCopies({ uid, storage, editor, others }: DeviceCopiesOptions) {
  const prefix = `inkglade.draft.${uid}.`;
  const toOwn = (id: string) => `${prefix}${id}.${editor}`;
  /** The keys of copies that this editor took over where there was no room to move them, by the id of their draft. */
  const unmoved = new Map<string, string>();

  function forgetUnmoved(id: string) {
    storage?.removeItem(unmoved.get(id) ?? "");
    unmoved.delete(id);
  }

  /** Lists what no other editor holds, newest first. */
  function list(): { key: string; id: string; copy: DeviceCopy }[] {
    const keys = storage ? Object.keys(storage).filter((key) => key.startsWith(prefix)) : [];
    const copies = keys.flatMap((key) => {
      const [id = "", holder = ""] = key.slice(prefix.length).split(".");
      const copy = others.has(holder) ? null : parse(storage?.getItem(key) ?? null);
      return copy ? { key, id, copy } : [];
    });
    return copies.toSorted((one, other) => other.copy.at - one.copy.at);
  }

  return {
    /** Returns whether it was kept: storage may be denied, or full. */
    keep(id: string, copy: DeviceCopy): boolean {
      try {
        storage?.setItem(toOwn(id), JSON.stringify(copy));
        forgetUnmoved(id);
        return storage !== null;
      } catch {
        return false;
      }
    },

    /** Whether this editor has kept something, and no other has taken it over. */
    has(id: string): boolean {
      return Boolean(storage?.getItem(toOwn(id)));
    },

    /** Returns the newest copy of a draft. Of an older one, kept by another editor, the next to open it hears. */
    find(id: string): DeviceCopy | null {
      return list().find((one) => one.id === id)?.copy ?? null;
    },

    /** Returns the same, which is this editor's from then on. */
    take(id: string): DeviceCopy | null {
      const found = list().find((one) => one.id === id);
      if (!found || found.key === toOwn(id)) return found?.copy ?? null;
      // On a full device it stays where it was: it may be the only one.
      if (this.keep(id, found.copy)) storage?.removeItem(found.key);
      else unmoved.set(id, found.key);
      return found.copy;
    },

    /** Returns the id of a draft that was begun here and never saved to the account. */
    findBegun(): string | null {
      return list().find(({ copy }) => copy.revision === 0)?.id ?? null;
    },

    forget(id: string): void {
      storage?.removeItem(toOwn(id));
      forgetUnmoved(id);
    },
  };
}

export type DeviceCopies = ReturnType<typeof createDeviceCopies>;

/** Returns the browser's storage, or `null` where it is denied. */
export function findStorage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

/** Only this file writes under its names, so what has the shape of a copy is one. */
function parse(stored: string | null): DeviceCopy | null {
  try {
    const copy: unknown = JSON.parse(stored ?? "null");
    const isCopy = typeof copy === "object" && copy !== null && "fields" in copy && "sent" in copy;
    return isCopy ? (copy as DeviceCopy) : null;
  } catch {
    return null;
  }
}
