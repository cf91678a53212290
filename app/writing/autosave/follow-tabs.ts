import type { DraftFields } from "#app/writing/editor/draft-fields.ts";
import type { DraftKeeper } from "./autosave.ts";
import type { SavedDraft } from "./autosaved-draft.ts";

/** Tells other tabs of this browser what was saved here, and follows what was saved there. Returns how to stop. */
export function followTabs(
  keeper: DraftKeeper,
  onFollow: (fields: DraftFields) => void,
): () => void {
  // Not every browser has it; then the account tells of the other's.
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
