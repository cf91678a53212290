import { onValue, ref, update, type Database } from "firebase/database";

import { toUnseenValues, getUnseenPath } from "./presence.ts";

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
    ref(db, getUnseenPath(uid)),
    (snapshot) => {
      // Only the deletion of the account removes the setting.
      if (snapshot.exists()) wasSet = true;
      onChange(wasSet && !snapshot.exists() ? null : snapshot.val() === true);
    },
    () => onChange(null),
  );
}

export async function setUnseen(db: Database, uid: string, isUnseen: boolean): Promise<void> {
  await update(ref(db), toUnseenValues(uid, isUnseen));
}
