import {
  useCallback,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type RefObject,
} from "react";

import type { FirebaseConfig } from "#app/firebase/config.ts";
import { createDocumentId } from "#app/firebase/document-id.ts";
import { openChannel, withLock } from "#app/http/browser-tabs.ts";
import { requestJson } from "#app/http/fetch-json.ts";
import { getStorage } from "#app/site/storage.ts";
import { getDraftsPath, type Draft } from "#app/writing/draft.ts";
import type { OpenDraft } from "#app/writing/editor-data.ts";
import { isSameExceptTab } from "#app/writing/side-tabs.ts";
import { Autosave } from "./autosave.ts";
import { readFields, writeFields, type DraftFields } from "./draft-fields.ts";
import { createLocalDrafts } from "./local-drafts.ts";
import { postDraft } from "./post-draft.ts";
import { toSaveStatus, type SavedDraft } from "./state.ts";

/** Enough for the longest story on a slow connection. */
const FETCH_TIMEOUT_MS = 30_000;

const subscribeToNothing = () => () => {};

export interface UseAutosaveOptions {
  formRef: RefObject<HTMLFormElement>;
  draft: OpenDraft;
  /** Whether the draft could not be read. It may exist. */
  isUnavailable: boolean;
  /** Whether the URL asks for this draft or for a new story, so that no other is continued. */
  isRequested: boolean;
  /** The user who is signed in. */
  uid: string | undefined;
  /** The user of the form that the page responds to. */
  formUid: string | undefined;
  firebase: FirebaseConfig;
  /** Called after the form's text was replaced. */
  onReplaced: (fields: DraftFields) => void;
}

/**
 * Saves the form automatically. On the server, and until scripts run, returns the status of the loaded draft. If the page
 * has opened the last draft, but this browser has a story that was never saved, returns that story's id as `unsavedId`.
 */
export function useAutosave(options: UseAutosaveOptions) {
  const { formRef, draft, isUnavailable, isRequested, uid, formUid, firebase } = options;
  const { onReplaced } = options;
  const [autosave, setAutosave] = useState<Autosave>();
  const [unsavedId, setUnsavedId] = useState<string | null>(null);
  const [loadedStatus] = useState(() => toSaveStatus(draft));
  // The editor belongs to its first user, even after the session has ended. It saves again once they have signed in.
  const [ownerUid, setOwnerUid] = useState(formUid ?? uid);
  if (ownerUid === undefined && uid !== undefined) setOwnerUid(uid);
  const replaceFields = useReplaceFields(formRef, onReplaced);

  useEffect(() => {
    const form = formRef.current;
    if (!form || !ownerUid) return undefined;
    const editor = createDocumentId();
    let close = () => {};
    let isClosed = false;
    void openEditor(editor, (others, unlock) => {
      if (isClosed) return unlock();
      const localDrafts = createLocalDrafts({
        uid: ownerUid,
        storage: getStorage(),
        editor,
        others,
      });
      if (draft.revision > 0 && !isRequested) setUnsavedId(localDrafts.findUnsaved());
      let channel: TabChannel | undefined;
      const newAutosave = new Autosave(
        { draft, isUnavailable, isRequested, typed: readFields(new FormData(form)), uid: ownerUid },
        {
          localDrafts,
          post: (post, onResult) => {
            const isOngoing = new FormData(form).has("isOngoing");
            void postDraft({ ...post, isOngoing }).then(onResult);
          },
          fetchDraft: (id, onDraft, onError) => void fetchDraft(id).then(onDraft, onError),
          replaceFields,
          announce: (_, saved) => channel?.announce(saved),
          startTimer,
          now: Date.now,
        },
      );
      channel = openTabChannel({ uid: ownerUid, id: newAutosave.id }, (saved) =>
        newAutosave.onTabSaved(saved),
      );
      replaceFields(newAutosave.fields);
      setAutosave(newAutosave);
      const removeListeners = addPageListeners(newAutosave);
      close = () => {
        removeListeners();
        channel?.close();
        newAutosave.stop();
        unlock();
      };
    });
    return () => {
      isClosed = true;
      close();
    };
    // oxlint-disable-next-line react/exhaustive-deps -- the draft changes with each load of the page: the editor would close and open again, and lose unsaved text
  }, [formRef, ownerUid]);

  const status = useSyncExternalStore(
    autosave?.subscribe ?? subscribeToNothing,
    autosave?.getStatus ?? (() => loadedStatus),
    () => loadedStatus,
  );

  const { savedTo, error, conflict } = status;
  const isOnlyHere = savedTo === "nowhere" && (error ?? conflict) !== null;
  useEffect(() => {
    if (!isOnlyHere) return undefined;
    // Not before, because some browsers keep no page with such a listener in their back/forward cache.
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    window.addEventListener("click", loadLinkedPage, true);
    return () => {
      window.removeEventListener("beforeunload", ask);
      window.removeEventListener("click", loadLinkedPage, true);
    };
  }, [isOnlyHere]);

  const isSaved = status.revision > 0;
  useEffect(() => {
    if (!autosave || !ownerUid || !isSaved || uid !== ownerUid) return undefined;
    return subscribeToDraft(firebase, { uid: ownerUid, id: autosave.id }, (revision) =>
      autosave.onRemoteChange(revision),
    );
  }, [autosave, ownerUid, isSaved, uid, firebase]);

  useEffect(() => {
    // The page was loaded again: a version may have been restored.
    if (draft.id === autosave?.id) autosave.onRemoteDraft(draft);
  }, [autosave, draft]);

  return { autosave, status, ownerUid, unsavedId };
}

function startTimer(ms: number, onEnd: () => void): () => void {
  const timer = setTimeout(onEnd, ms);
  return () => clearTimeout(timer);
}

/** Lets the browser follow a link from the editor, which closes the page, so that it asks first. */
function loadLinkedPage(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  if (!(link instanceof HTMLAnchorElement) || link.isContentEditable) return;
  const isHere = isSameExceptTab(new URL(window.location.href), new URL(link.href));
  if (!isHere) event.stopPropagation();
}

/** Saves when the page may be about to close, and retries when the user comes back. */
function addPageListeners(autosave: Autosave): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  const flush = () => autosave.flush();
  const retry = () => autosave.retry();
  const retryFailed = () => {
    if (autosave.getStatus().error) retry();
  };
  const onVisibilityChange = () =>
    document.visibilityState === "hidden" ? flush() : retryFailed();
  window.addEventListener("pagehide", flush, { signal });
  window.addEventListener("online", retry, { signal });
  window.addEventListener("focus", retryFailed, { signal });
  document.addEventListener("visibilitychange", onVisibilityChange, { signal });
  return () => controller.abort();
}

/** Returns a stable function that writes fields into the form. */
function useReplaceFields(
  formRef: RefObject<HTMLFormElement>,
  onReplaced: UseAutosaveOptions["onReplaced"],
) {
  const latest = useRef(onReplaced);
  useEffect(() => {
    latest.current = onReplaced;
  });
  return useCallback(
    (fields: DraftFields) => {
      if (!formRef.current) return;
      writeFields(formRef.current, fields);
      latest.current(fields);
    },
    [formRef],
  );
}

/**
 * Fetches a draft from the account; `null` when there is none, or the session has expired.
 *
 * @throws when the account cannot be reached
 */
async function fetchDraft(id: string): Promise<Draft | null> {
  const path = `/drafts?${new URLSearchParams({ id })}`;
  const loaded = await requestJson(path, { timeoutMs: FETCH_TIMEOUT_MS });
  if (loaded.status !== "responded") throw new Error(`No draft: ${loaded.status}`);
  const { response, body } = loaded;
  if (response.status === 401) return null;
  if (!response.ok || body === null) throw new Error(`No draft: ${response.status}`);
  return (body as { draft: Draft | null }).draft; // from our own server
}

interface TabChannel {
  announce: (saved: SavedDraft) => void;
  close: () => void;
}

/** Connects the tabs of this browser that have one user's draft open. */
function openTabChannel(
  { uid, id }: { uid: string; id: string },
  onSaved: (saved: SavedDraft) => void,
): TabChannel {
  // Without the channel, the live listener reports the save.
  const channel = openChannel(`inkglade.draft.${uid}.${id}`);
  // Only `announce` posts on this channel, so the type is certain.
  channel?.addEventListener("message", ({ data }: MessageEvent<SavedDraft>) => onSaved(data));
  return {
    announce: (saved) => channel?.postMessage(saved),
    close: () => channel?.close(),
  };
}

const EDITOR_LOCK_PREFIX = "inkglade.editor.";
const OPENING_LOCK = "inkglade.opening-editor";

/**
 * Calls `open` with the names of the other editors that are open in this browser; none without the Web Locks API. Editors
 * open one after the other, so that each one knows those before it.
 *
 * @param open the editor counts as open until it calls `close` or its page is closed
 * @see https://developer.mozilla.org/en-US/docs/Web/API/Web_Locks_API
 */
async function openEditor(
  name: string,
  open: (others: ReadonlySet<string>, close: () => void) => void,
): Promise<void> {
  await withLock(OPENING_LOCK, async () => {
    const others = await listEditors();
    let close = () => {};
    const closed = new Promise<void>((resolve) => (close = resolve));
    void withLock(EDITOR_LOCK_PREFIX + name, () => closed);
    open(others, close);
  });
}

async function listEditors(): Promise<ReadonlySet<string>> {
  try {
    const { held = [], pending = [] } = await navigator.locks.query();
    const names = [...held, ...pending].map((lock) => lock.name ?? "");
    const editors = names.filter((name) => name.startsWith(EDITOR_LOCK_PREFIX));
    return new Set(editors.map((editor) => editor.slice(EDITOR_LOCK_PREFIX.length)));
  } catch {
    return new Set();
  }
}

/**
 * Reports each revision of a user's draft as soon as any device saves it. Does not report errors, because the next save
 * detects remote changes too.
 *
 * @returns a function that unsubscribes
 */
function subscribeToDraft(
  firebase: FirebaseConfig,
  { uid, id }: { uid: string; id: string },
  onRevision: (revision: number) => void,
): () => void {
  const controller = new AbortController();
  const path = `${getDraftsPath(uid)}/${id}`;

  async function subscribe() {
    const { subscribeToUserDocument } = await import("#app/session/user-connection.client.ts");
    const onData = ({ revision }: { revision?: unknown }) => {
      if (typeof revision === "number") onRevision(revision);
    };
    subscribeToUserDocument(firebase, { uid, path }, onData, controller.signal);
  }

  subscribe().catch(() => {});
  return () => controller.abort();
}
