import { useEffect, useState } from "react";

import type { User } from "#app/session/user.ts";
import type { UnsavedProfile } from "./profile-schema.ts";

/** What was typed when the form last went away. In this page's memory only: it goes with the page. */
let left: UnsavedProfile | undefined;

/**
 * Returns what its owner typed and did not save before the form went away, be it that they left it or that their
 * session ended, and how to note that it goes away again.
 *
 * @param sent what they sent and the server could not take any more
 */
export function useUnsaved(account: User, sent: UnsavedProfile | null) {
  const [typed] = useState(() => find(account, left) ?? find(account, sent));
  useEffect(() => {
    left = undefined;
  }, []);

  function leave(form: FormData) {
    const [displayName, photoURL] = ["displayName", "photoURL"].map((name) => form.get(name));
    if (typeof displayName !== "string" || typeof photoURL !== "string") return;
    left = find(account, { uid: account.uid, displayName, photoURL });
  }
  // By now it may have been saved.
  return { unsaved: find(account, typed), leave };
}

/** Returns what is the person's own, and is not what is saved already. */
function find(account: User, typed: UnsavedProfile | null | undefined) {
  if (typed?.uid !== account.uid) return undefined;
  const isSaved =
    typed.displayName.trim() === (account.displayName ?? "") &&
    typed.photoURL.trim() === (account.photoURL ?? "");
  return isSaved ? undefined : typed;
}
