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
import type { OpenDraft } from "#app/writing/editor-data.ts";
import { readFields, writeFields, type DraftFields } from "#app/writing/editor/draft-fields.ts";
import { DraftKeeper } from "./autosave.ts";
import { toKept } from "./autosaved-draft.ts";
import { openEditor } from "./editor-locks.ts";
import { followDevices } from "./follow-devices.ts";
import { followTabs } from "./follow-tabs.ts";
import { createDeviceCopies, findStorage } from "./local-drafts.ts";
import { postDraft } from "./post-draft.ts";

const NEVER = () => () => {};

export interface DraftKeeperUse {
  formRef: RefObject<HTMLFormElement>;
  draft: OpenDraft;
  /** There may be a draft, which the page could not read. */
  isUnreachable: boolean;
  /** Who is signed in. */
  uid: string | undefined;
  firebase: FirebaseConfig;
  /** The form has come to hold something else. */
  onWritten: (fields: DraftFields) => void;
}

/** Keeps what is written in the form, once scripts run. Before, and on the server, it tells what the page was made with. */
export function useDraftKeeper({
  formRef,
  draft,
  isUnreachable,
  uid,
  firebase,
  onWritten,
}: DraftKeeperUse) {
  const [keeper, setKeeper] = useState<DraftKeeper>();
  const [made] = useState(() => toKept(draft));
  // Whoever is signed out meanwhile goes on writing, and finds it after signing in again.
  const [writer] = useState(uid);
  const write = useWriter(formRef, onWritten);

  useEffect(() => {
    const form = formRef.current;
    if (!form || !writer) return undefined;
    const editor = createDocumentId();
    let leave = () => {};
    let isGone = false;
    void openEditor(editor, (others, close) => {
      if (isGone) return close();
      const copies = createDeviceCopies({ uid: writer, storage: findStorage(), editor, others });
      const typed = readFields(new FormData(form));
      const opened = new DraftKeeper({
        draft,
        isUnreachable,
        typed,
        uid: writer,
        copies,
        post: postDraft,
        now: Date.now,
      });
      write(opened.fields);
      setKeeper(opened);
      const leavePage = attend(opened, write);
      leave = () => {
        leavePage();
        opened.stop();
        close();
      };
    });
    return () => {
      isGone = true;
      leave();
    };
    // oxlint-disable-next-line react/exhaustive-deps -- a draft is opened once, and then goes on by itself
  }, [formRef, writer]);

  const isSaved = draft.revision > 0;
  useEffect(() => {
    if (!keeper || !writer || !isSaved || uid !== writer) return undefined;
    return followDevices(keeper, writer, firebase, write);
  }, [keeper, writer, isSaved, uid, firebase, write]);

  useEffect(() => {
    // The page itself may have come back with a later save: a version was restored, for instance.
    void keeper
      ?.learn(draft.revision, () => Promise.resolve(draft))
      .then((fields) => fields && write(fields));
  }, [keeper, draft, write]);

  const kept = useSyncExternalStore(
    keeper?.subscribe ?? NEVER,
    keeper?.get ?? (() => made),
    () => made,
  );
  return { keeper, kept, writer, write };
}

/** Saves what waits when the page may be about to go, and follows other tabs. Returns how to stop. */
function attend(keeper: DraftKeeper, onFollow: (fields: DraftFields) => void): () => void {
  const leaveTabs = followTabs(keeper, onFollow);
  const leaving = new AbortController();
  const { signal } = leaving;
  const flush = () => keeper.flush();
  const retry = () => keeper.retry();
  // The user may come back from signing in again, or from mending the connection.
  const retryRefused = () => {
    if (keeper.get().refusal) retry();
  };
  const onVisibility = () => (document.visibilityState === "hidden" ? flush() : retryRefused());
  window.addEventListener("pagehide", flush, { signal });
  window.addEventListener("online", retry, { signal });
  window.addEventListener("focus", retryRefused, { signal });
  document.addEventListener("visibilitychange", onVisibility, { signal });
  return () => {
    leaving.abort();
    leaveTabs();
  };
}

/** Returns, the same at every render, what puts fields into the form. */
function useWriter(formRef: RefObject<HTMLFormElement>, onWritten: DraftKeeperUse["onWritten"]) {
  const latest = useRef(onWritten);
  useEffect(() => {
    latest.current = onWritten;
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
