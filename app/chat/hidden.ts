/** How many people a user can hide. Only the server counts them. */
export const MAX_HIDDEN = 500;

/** A person whose messages the user has hidden. */
export interface HiddenPerson {
  uid: string;
  /** The name that was shown when the user hid them. */
  name: string;
}

/** Returns the path of the people that a user has hidden, below the database's root. */
export function getHiddenPath(uid: string): string {
  return `users/${uid}/hidden`;
}

/** Reads the people that a user has hidden in this tab, so that they are hidden before the server has responded. */
export function readHiddenUids(uid: string): string[] {
  // The server has no storage.
  if (!("sessionStorage" in globalThis)) return [];
  try {
    return (sessionStorage.getItem(toKey(uid)) ?? "").split(" ").filter(Boolean);
  } catch {
    return [];
  }
}

/** @param uid `undefined` for visitors */
export function writeHiddenUids(uid: string | undefined, uids: string[]): void {
  try {
    sessionStorage.setItem(toKey(uid), uids.join(" "));
  } catch {
    // Without storage, these people are hidden once the server has responded.
  }
}

function toKey(uid: string | undefined): string {
  return `hidden:${uid}`;
}
