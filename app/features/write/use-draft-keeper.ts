import { useEffect, useState, useSyncExternalStore, type RefObject } from "react";

import type { OpenDraft } from "./desk-view.ts";
import { createDeviceCopies, findStorage } from "./device-copies.ts";
import { areSame, readFields, toFields, writeFields, type DraftFields } from "./draft-fields.ts";
import { DraftKeeper, toKept, type SavedDraft } from "./draft-keeper.ts";
import { postDraft } from "./post-draft.ts";

const NEVER = () => () => {};

/** Keeps what is written in the form, once scripts run. Before, and on the server, it tells what the page was made with. */
export function useDraftKeeper(
  formRef: RefObject<HTMLFormElement>,
  draft: OpenDraft,
  uid: string | undefined,
) {
  const [keeper, setKeeper] = useState<DraftKeeper>();
  const [made] = useState(() => toKept(draft));
  // Whoever is signed out meanwhile goes on writing, and finds it after signing in again.
  const [writer] = useState(uid);

  useEffect(() => {
    const form = formRef.current;
    if (!form || !writer) return undefined;
    const copies = createDeviceCopies(writer, findStorage());
    const opened = new DraftKeeper({ draft, uid: writer, copies, post: postDraft, now: Date.now });
    // What was typed before the scripts came, or came back with the page, counts more than what was kept.
    const typed = readFields(new FormData(form));
    if (areSame(typed, toFields(draft))) writeFields(form, opened.fields);
    else opened.note(typed);
    setKeeper(opened);
    const leaveTabs = joinTabs(opened, (fields) => writeFields(form, fields));

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

  useEffect(() => {
    // The page itself may have come back with a later save: a version was restored, for instance.
    const { revision, updatedAt, publishedRevision, storyId } = draft;
    if (!keeper || !formRef.current || updatedAt === null) return;
    const save = { fields: toFields(draft), at: updatedAt, revision, publishedRevision, storyId };
    const fields = keeper.follow(save);
    if (fields) writeFields(formRef.current, fields);
  }, [keeper, formRef, draft]);

  const kept = useSyncExternalStore(
    keeper?.subscribe ?? NEVER,
    keeper?.get ?? (() => made),
    () => made,
  );
  return { keeper, kept, writer };
}

/** Tells other tabs of this browser what was saved here, and follows what was saved there. */
function joinTabs(keeper: DraftKeeper, onFollow: (fields: DraftFields) => void): () => void {
  // Not every browser has it; then the next save tells of the other's.
  if (typeof BroadcastChannel !== "function") return () => {};
  const channel = new BroadcastChannel(`inkglade.draft.${keeper.id}`);
  let told = keeper.get().revision;
  const leave = keeper.subscribe(() => {
    const { saved } = keeper;
    if (!saved || saved.revision === told) return;
    told = saved.revision;
    channel.postMessage(saved);
  });
  // Only this function speaks on the channel.
  channel.addEventListener("message", ({ data }: MessageEvent<SavedDraft>) => {
    told = Math.max(told, data.revision);
    const fields = keeper.follow(data);
    if (fields) onFollow(fields);
  });
  return () => {
    leave();
    channel.close();
  };
}
