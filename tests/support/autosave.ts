import { Autosave } from "#app/writing/autosave/autosave.ts";
import { toFields, type DraftFields } from "#app/writing/autosave/draft-fields.ts";
import { createLocalDrafts } from "#app/writing/autosave/local-drafts.ts";
import type { DraftPost } from "#app/writing/autosave/post-draft.ts";
import type { SavedDraft } from "#app/writing/autosave/state.ts";
import type { OpenDraft, SaveResult } from "#app/writing/editor-data.ts";
import { MemoryStorage } from "./memory-storage.ts";

export const SAVED_DRAFT: OpenDraft = {
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

export const OTHER_SAVE = {
  ...SAVED_DRAFT,
  updatedAt: 2000,
  words: 1,
  createdAt: 0,
  publishedAt: null,
};
export const NEW_DRAFT: OpenDraft = {
  ...SAVED_DRAFT,
  revision: 0,
  title: "",
  text: "",
  updatedAt: null,
};
export const UNAVAILABLE = {
  status: "error",
  reason: "unavailable",
  message: "Not saved.",
} as const;

let editorCount = 0;

/** Opens a draft in a tab, while the tabs in `others` are open. `respond` plays the server. */
export function openTab({
  draft = SAVED_DRAFT,
  isUnavailable = false,
  isRequested = false,
  typed = toFields(draft),
  uid = "ana",
  storage = new MemoryStorage() as Storage | null,
  others = [] as { editor: string }[],
  respond = (post: DraftPost): SaveResult | Promise<SaveResult> => acceptSave(post),
  fetchDraft = (_id: string): Promise<OpenDraft | null> => Promise.resolve(null),
} = {}) {
  const posts: DraftPost[] = [];
  const announced: SavedDraft[] = [];
  const form = { fields: typed };
  const editor = `editor-${(editorCount += 1)}`;
  const localDrafts = openLocalDrafts(storage, { uid, editor, others });
  const autosave = new Autosave(
    { draft, isUnavailable, isRequested, typed, uid },
    {
      localDrafts,
      post: (post, onResult) => {
        posts.push(post);
        void Promise.resolve(respond(post)).then(onResult);
      },
      fetchDraft: (id, onDraft, onError) => void fetchDraft(id).then(onDraft, onError),
      replaceFields: (fields: DraftFields) => {
        form.fields = fields;
      },
      announce: (_, saved) => void announced.push(saved),
      startTimer: (ms, onEnd) => {
        const timer = setTimeout(onEnd, ms);
        return () => clearTimeout(timer);
      },
      now: Date.now,
    },
  );
  form.fields = autosave.fields;
  const type = (text: string) => {
    form.fields = { ...autosave.fields, text };
    autosave.change(form.fields);
  };
  return { editor, autosave, localDrafts, posts, announced, form, type };
}

/** Returns the local drafts of an editor; by default of a newly opened one. */
export function openLocalDrafts(
  storage: Storage | null,
  { uid = "ana", editor = "new", others = [] as { editor: string }[] } = {},
) {
  return createLocalDrafts({
    uid,
    storage,
    editor,
    others: new Set(others.map((other) => other.editor)),
  });
}

/** Stores a local draft of a closed editor. */
export function storeLocalDraft(
  storage: Storage,
  id: string,
  copy: { text: string; revision: number },
) {
  const { text, revision } = copy;
  const left = { fields: { ...toFields(SAVED_DRAFT), text }, revision, sent: [], at: 900 };
  openLocalDrafts(storage, { editor: "gone" }).set(id, left);
}

export function acceptSave({
  id,
  revision,
  intent,
}: Pick<DraftPost, "id" | "revision" | "intent">): SaveResult {
  const isPublished = intent === "publish";
  return {
    status: "saved",
    draft: {
      ...SAVED_DRAFT,
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
