import { onValue, ref, type Database } from "firebase/database";

import { getMutedPath, readMute } from "./mute-copy.ts";
import type { Mute } from "./mute.ts";

/** Subscribes to the user's own mute, and returns the function that unsubscribes. `null`: none, or it cannot be read. */
export function subscribeToMute(
  db: Database,
  uid: string,
  onChange: (mute: Mute | null) => void,
): () => void {
  return onValue(
    ref(db, getMutedPath(uid)),
    (snapshot) => onChange(readMute(snapshot.val())),
    () => onChange(null),
  );
}
