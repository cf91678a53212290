import { onValue, ref, set, update, type Database } from "firebase/database";

import { ROOM_ID } from "./message.ts";
import { connectionsPath, statusPath, typingPath, unseenPath } from "./presence.ts";

/**
 * Subscribes to the user's unseen mode, and returns the function that unsubscribes. `null`: the account is deleted, or the
 * setting cannot be read.
 */
export function subscribeToUnseen(
  db: Database,
  uid: string,
  onChange: (isUnseen: boolean | null) => void,
): () => void {
  let wasSet = false;
  return onValue(
    ref(db, unseenPath(uid)),
    (snapshot) => {
      // Only the deletion of the account removes the setting.
      if (snapshot.exists()) wasSet = true;
      onChange(wasSet && !snapshot.exists() ? null : snapshot.val() === true);
    },
    () => onChange(null),
  );
}

/** Sets the unseen mode. In the same write, turning it on removes what others see of the user. */
export async function setUnseen(db: Database, uid: string, isUnseen: boolean): Promise<void> {
  if (!isUnseen) return set(ref(db, unseenPath(uid)), false);
  await update(ref(db), {
    [unseenPath(uid)]: true,
    [statusPath(uid)]: null,
    [connectionsPath(uid)]: null,
    [`${typingPath(ROOM_ID)}/${uid}`]: null,
  });
}
