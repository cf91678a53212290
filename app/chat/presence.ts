/** A user's record at `status/{uid}`. */
export interface OnlineStatus {
  state: "online" | "offline";
  /** Milliseconds since the Unix epoch, set by the database. */
  last_changed: number;
}

/** Returns the path of a user's online status. */
export function statusPath(uid: string): string {
  return `status/${uid}`;
}

/** Returns the path below which each user who is typing in the room has `true` under their uid. */
export function typingPath(roomId: string): string {
  return `typing/${roomId}`;
}
