import { DraftKeeper } from "#app/writing/autosave/autosave.ts";
import { createDeviceCopies } from "#app/writing/autosave/local-drafts.ts";
import type { DraftPost } from "#app/writing/autosave/post-draft.ts";
import type { DraftReply, OpenDraft } from "#app/writing/editor-data.ts";
import { toFields } from "#app/writing/editor/draft-fields.ts";

export const SAVED: OpenDraft = {
  id: "a".repeat(20),
  revision: 3,
  title: "Salt",
  description: "",
  tags: [],
  cover: null,
  text: "Once",
  updatedAt: 1000,
  storyId: null,
  publishedRevision: null,
  deletedAt: null,
};

export const THEIRS = { ...SAVED, updatedAt: 2000, words: 1, createdAt: 0, publishedAt: null };
export const NEW: OpenDraft = { ...SAVED, revision: 0, title: "", text: "", updatedAt: null };
export const UNREACHABLE = {
  status: "refused",
  reason: "unreachable",
  message: "Not saved.",
} as const;

/** A browser's storage, in memory. */
export class MemoryStorage implements Storage {
  [name: string]: unknown;
  readonly #items = new Map<string, string>();
  get length() {
    return this.#items.size;
  }
  clear() {
    this.#items.clear();
  }
  getItem(key: string) {
    return this.#items.get(key) ?? null;
  }
  key(index: number) {
    return [...this.#items.keys()][index] ?? null;
  }
  removeItem(key: string) {
    this.#items.delete(key);
    delete this[key];
  }
  setItem(key: string, value: string) {
    this.#items.set(key, value);
    this[key] = value;
  }
}

/** A storage that can be full, as a browser's is at some five million characters. */
export class FullStorage extends MemoryStorage {
  isFull = false;
  override setItem(key: string, value: string) {
    if (this.isFull && value.length > (this.getItem(key)?.length ?? 0)) {
      throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
    }
    super.setItem(key, value);
  }
}

let editorCount = 0;

/** A tab with a draft open, beside those of which it is told. The account answers what `answer` says. */
export function openTab({
  draft = SAVED,
  isUnreachable = false,
  typed = toFields(draft),
  storage = new MemoryStorage() as Storage | null,
  others = [] as { editor: string }[],
  answer = (post: DraftPost): DraftReply | Promise<DraftReply> => confirm(post),
} = {}) {
  const posts: DraftPost[] = [];
  const editor = `editor-${(editorCount += 1)}`;
  const copies = openCopies(storage, { editor, others });
  const keeper = new DraftKeeper({
    draft,
    isUnreachable,
    typed,
    uid: "ana",
    copies,
    post: (post) => {
      posts.push(post);
      return Promise.resolve(answer(post));
    },
    now: Date.now,
  });
  const type = (text: string) => keeper.note({ ...keeper.fields, text });
  return { editor, keeper, copies, posts, type };
}

/** The copies as an editor sees them; without a name as one that has just been opened. */
export function openCopies(
  storage: Storage | null,
  { uid = "ana", editor = "new", others = [] as { editor: string }[] } = {},
) {
  return createDeviceCopies({
    uid,
    storage,
    editor,
    others: new Set(others.map((other) => other.editor)),
  });
}

/** Puts text on the device that an editor has left there. */
export function leaveCopy(storage: Storage, id: string, copy: { text: string; revision: number }) {
  const { text, revision } = copy;
  const left = { fields: { ...toFields(SAVED), text }, revision, sent: [], at: 900 };
  openCopies(storage, { editor: "gone" }).keep(id, left);
}

export function confirm({
  id,
  revision,
  intent,
}: Pick<DraftPost, "id" | "revision" | "intent">): DraftReply {
  const isPublished = intent === "publish";
  return {
    status: "saved",
    draft: {
      ...SAVED,
      id,
      revision: revision + 1,
      updatedAt: Date.now(),
      words: 1,
      createdAt: 0,
      publishedAt: null,
      publishedRevision: isPublished ? revision + 1 : null,
    },
  };
}
