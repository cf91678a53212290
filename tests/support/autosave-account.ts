import type { DraftPost } from "#app/writing/autosave/post-draft.ts";
import { toLine, type DraftHead } from "#app/writing/draft.ts";
import type { ActionError } from "#app/session/action-result.ts";
import type { OpenDraft, SaveResult } from "#app/writing/editor-data.ts";
import { NEW_DRAFT } from "./autosave.ts";

/** A save that the account has performed. */
export interface PerformedSave {
  id: string;
  text: string;
  intent: DraftPost["intent"];
  isOverwrite: boolean;
}

/** A draft that was saved. */
export interface SavedChange {
  uid: string;
  /** The draft before; `undefined` before its first save. */
  before: OpenDraft | undefined;
  after: OpenDraft;
}

const DENIED: ActionError = { status: "error", reason: "denied", message: "Not saved." };

/**
 * The drafts of all users, in memory, by the rules of `drafts.server.ts`: a save names the revision it is based on; any
 * other revision is a conflict, unless the draft contains the same text already; a save that resolves a conflict makes a
 * version of the text that it replaces.
 */
export class MemoryAccount {
  /** By `uid/id`. */
  readonly drafts = new Map<string, OpenDraft>();
  /** The texts of the versions, by the path of the draft. */
  readonly versions = new Map<string, string[]>();
  readonly performed: PerformedSave[] = [];
  readonly #now: () => number;
  readonly #onSave: (change: SavedChange) => void;

  constructor(now: () => number, onSave: (change: SavedChange) => void) {
    this.#now = now;
    this.#onSave = onSave;
  }

  getVersions(path: string): string[] {
    return this.versions.get(path) ?? [];
  }

  /** Returns the text of a user's drafts and versions. */
  getText(uid: string): string {
    const drafts = [...this.drafts].filter(([path]) => path.startsWith(`${uid}/`));
    return drafts.map(([path, { text }]) => [text, ...this.getVersions(path)].join("")).join("");
  }

  save({ uid, id, intent, revision, isOverwrite, fields }: DraftPost): SaveResult {
    const { text } = fields;
    const title = toLine(fields.title);
    const path = `${uid}/${id}`;
    const stored = this.drafts.get(path);
    const versions = this.getVersions(path);
    if (intent === "save-version") {
      if (!stored) return DENIED;
      if (!versions.includes(text)) this.versions.set(path, [...versions, text]);
      return { status: "saved", draft: toHead(stored) };
    }
    const isPublished = (draft: OpenDraft) => draft.publishedRevision === draft.revision;
    if (stored && stored.revision !== revision) {
      const isEqual = stored.text === text && stored.title === title;
      const isAlreadySaved = isEqual && (intent !== "publish" || isPublished(stored));
      if (stored.deletedAt === null && isAlreadySaved)
        return { status: "saved", draft: toHead(stored) };
      return { status: "conflict", remote: { ...stored } };
    }
    const isSame = stored?.text === text && stored.title === title && stored.deletedAt === null;
    if (stored && isSame && intent === "save") return { status: "saved", draft: toHead(stored) };
    if (stored && isOverwrite && stored.text !== text) {
      this.versions.set(path, [...versions, stored.text]);
    }
    const next = (stored?.revision ?? 0) + 1;
    const after: OpenDraft = {
      ...(stored ?? { ...NEW_DRAFT, id }),
      title,
      text,
      revision: next,
      updatedAt: this.#now(),
      deletedAt: null,
      publishedRevision: intent === "publish" ? next : (stored?.publishedRevision ?? null),
    };
    this.performed.push({ id: path, text, intent, isOverwrite });
    this.drafts.set(path, after);
    this.#onSave({ uid, before: stored, after });
    return { status: "saved", draft: toHead(after) };
  }
}

function toHead(draft: OpenDraft): DraftHead {
  return { ...draft, words: 1, createdAt: 0, publishedAt: null, updatedAt: draft.updatedAt ?? 0 };
}
