import { openChannel } from "#app/http/browser-tabs.ts";
import type { SavedDraft } from "./state.ts";

export interface TabChannel {
  announce: (saved: SavedDraft) => void;
  close: () => void;
}

/** Connects the tabs of this browser that have one user's draft open. */
export function openTabChannel(
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
