import type { DraftFields } from "./draft-fields.ts";

/** What a browser keeps of a draft that is not in the account yet. */
export interface DeviceCopy {
  fields: DraftFields;
  /** The save that it goes on from. */
  revision: number;
  /** Milliseconds since the Unix epoch. */
  at: number;
}

/** The copies of one person's drafts in this browser. Somebody else who signs in here does not find them. */
export function createDeviceCopies(uid: string, storage: Storage | null) {
  const prefix = `inkglade.draft.${uid}.`;
  return {
    /** Returns whether it was kept: storage may be denied, or full. */
    keep(id: string, copy: DeviceCopy): boolean {
      try {
        storage?.setItem(prefix + id, JSON.stringify(copy));
        return storage !== null;
      } catch {
        return false;
      }
    },

    find(id: string): DeviceCopy | null {
      return parse(storage?.getItem(prefix + id) ?? null);
    },

    /** Returns the id of a draft that was begun here and never saved to the account. */
    findBegun(): string | null {
      const keys = storage ? Object.keys(storage).filter((key) => key.startsWith(prefix)) : [];
      const ids = keys.map((key) => key.slice(prefix.length));
      return ids.find((id) => this.find(id)?.revision === 0) ?? null;
    },

    forget(id: string): void {
      storage?.removeItem(prefix + id);
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
    const isCopy = typeof copy === "object" && copy !== null && "fields" in copy;
    return isCopy ? (copy as DeviceCopy) : null;
  } catch {
    return null;
  }
}
