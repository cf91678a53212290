import { useEffect, useState } from "react";

import type { User } from "#app/session/user.ts";
import type { UnsavedProfile } from "./profile-schema.ts";

/** The values of the form when it was last unmounted. In memory only, so they are lost with the page. */
let unmounted: UnsavedProfile | undefined;

/**
 * Returns what the user typed and did not save before they left the form or their session ended, and the form's
 * `onUnmount`.
 *
 * @param submitted what the user submitted after their session had ended
 */
export function useUnsaved(user: User, submitted: UnsavedProfile | null) {
  const [initial] = useState(() => findUnsaved(user, unmounted) ?? findUnsaved(user, submitted));
  useEffect(() => {
    unmounted = undefined;
  }, []);

  function onUnmount(form: FormData) {
    const [displayName, photoURL] = ["displayName", "photoURL"].map((name) => form.get(name));
    if (typeof displayName !== "string" || typeof photoURL !== "string") return;
    unmounted = findUnsaved(user, { uid: user.uid, displayName, photoURL });
  }
  // The profile may have been saved since.
  return { unsaved: findUnsaved(user, initial), onUnmount };
}

/** Returns the profile if it is the user's own and differs from the saved one. */
function findUnsaved(user: User, profile: UnsavedProfile | null | undefined) {
  if (profile?.uid !== user.uid) return undefined;
  const isSaved =
    profile.displayName.trim() === (user.displayName ?? "") &&
    profile.photoURL.trim() === (user.photoURL ?? "");
  return isSaved ? undefined : profile;
}
