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
