import { openUnsentText } from "#app/site/unsent-text.ts";
import { isDraftFields, type DraftFields } from "./draft-fields.ts";

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
  const copies = openUnsentText(`inkglade.draft.${uid}.`, readLocalDraft, storage);
  const toOwnName = (id: string) => `${id}.${editor}`;
  /** By draft id, the names of copies that this editor uses but could not move, because storage is full. */
  const unmoved = new Map<string, string>();

  function deleteUnmoved(id: string) {
    const name = unmoved.get(id);
    if (name !== undefined) copies.remove(name);
    unmoved.delete(id);
  }

  /** Returns all copies except those of other open editors, newest first. */
  function list(): { name: string; id: string; copy: LocalDraft }[] {
    const named = copies.list().map(([name, copy]) => {
      const [id = "", owner = ""] = name.split(".");
      return { name, id, owner, copy };
    });
    const usable = named.filter(({ owner }) => !others.has(owner));
    return usable.toSorted((one, other) => other.copy.at - one.copy.at);
  }

  return {
    /** Returns whether the copy was stored. Storage may be denied or full. */
    set(id: string, copy: LocalDraft): boolean {
      const isStored = copies.set(toOwnName(id), copy);
      if (isStored) deleteUnmoved(id);
      return isStored;
    },

    /** Whether this editor has its own copy. Another editor may have taken it over. */
    has(id: string): boolean {
      return copies.get(toOwnName(id)) !== null;
    },

    /** Returns the newest copy of a draft. Older copies stay for the next editor. */
    find(id: string): LocalDraft | null {
      return list().find((one) => one.id === id)?.copy ?? null;
    },

    /** Returns the newest copy of a draft, and makes it this editor's own. */
    claim(id: string): LocalDraft | null {
      const newest = list().find((one) => one.id === id);
      if (!newest || newest.name === toOwnName(id)) return newest?.copy ?? null;
      // While storage is full, do not remove the original: it may be the only copy.
      if (this.set(id, newest.copy)) copies.remove(newest.name);
      else unmoved.set(id, newest.name);
      return newest.copy;
    },

    /** Returns the id of the newest draft that was never saved to the account. */
    findUnsaved(): string | null {
      return list().find(({ copy }) => copy.revision === 0)?.id ?? null;
    },

    delete(id: string): void {
      copies.remove(toOwnName(id));
      deleteUnmoved(id);
    },
  };
}

export type LocalDrafts = ReturnType<typeof createLocalDrafts>;

function readLocalDraft(stored: Record<string, unknown>): LocalDraft | null {
  const { fields, revision, isOverwrite, sent, at } = stored;
  if (!isDraftFields(fields) || typeof revision !== "number" || typeof at !== "number") return null;
  const texts = Array.isArray(sent) ? sent.filter((one) => typeof one === "string") : [];
  return { fields, revision, isOverwrite: isOverwrite === true, sent: texts, at };
}
