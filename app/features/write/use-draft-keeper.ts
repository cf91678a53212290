import {
  useCallback,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type RefObject,
} from "react";

import type { FirebaseConfig } from "#app/schemas/firebase-config.ts";
import type { OpenDraft } from "./desk-view.ts";
import { createDeviceCopies, findStorage } from "./device-copies.ts";
import { areSame, readFields, toFields, writeFields, type DraftFields } from "./draft-fields.ts";
import { DraftKeeper, toKept } from "./draft-keeper.ts";
import { followDevices } from "./follow-devices.ts";
import { followTabs } from "./follow-tabs.ts";
import { postDraft } from "./post-draft.ts";

const NEVER = () => () => {};

export interface DraftKeeperUse {
  formRef: RefObject<HTMLFormElement>;
  draft: OpenDraft;
  /** Who is signed in. */
  uid: string | undefined;
  firebase: FirebaseConfig;
  /** The form has come to hold something else. */
  onWritten: (fields: DraftFields) => void;
}

/** Keeps what is written in the form, once scripts run. Before, and on the server, it tells what the page was made with. */
export function useDraftKeeper({ formRef, draft, uid, firebase, onWritten }: DraftKeeperUse) {
  const [keeper, setKeeper] = useState<DraftKeeper>();
  const [made] = useState(() => toKept(draft));
  // Whoever is signed out meanwhile goes on writing, and finds it after signing in again.
  const [writer] = useState(uid);
  const write = useWriter(formRef, onWritten);

  useEffect(() => {
    const form = formRef.current;
    if (!form || !writer) return undefined;
    const copies = createDeviceCopies(writer, findStorage());
    const opened = new DraftKeeper({ draft, uid: writer, copies, post: postDraft, now: Date.now });
    // What was typed before the scripts came, or came back with the page, counts more than what was kept.
    const typed = readFields(new FormData(form));
    if (areSame(typed, toFields(draft))) write(opened.fields);
    else opened.note(typed);
    setKeeper(opened);
    const leaveTabs = followTabs(opened, write);

    const flush = () => opened.flush();
    const flushHidden = () => {
      if (document.visibilityState === "hidden") opened.flush();
    };
    window.addEventListener("pagehide", flush);
    window.addEventListener("online", flush);
    document.addEventListener("visibilitychange", flushHidden);
    return () => {
      window.removeEventListener("pagehide", flush);
      window.removeEventListener("online", flush);
      document.removeEventListener("visibilitychange", flushHidden);
      leaveTabs();
      opened.stop();
    };
    // oxlint-disable-next-line react/exhaustive-deps -- a draft is opened once, and then goes on by itself
  }, [formRef, draft.id, writer]);

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
