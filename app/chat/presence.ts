/** Whether a person is here, at `status/{uid}`. */
export interface Presence {
  state: "online" | "offline";
  /** Milliseconds since the Unix epoch, set by the database. */
  last_changed: number;
}

/** The path of a person's presence record. */
export function presencePath(uid: string): string {
  return `status/${uid}`;
}

/** The path below which each person who types in a room has `true` under their uid. */
export function typingPath(roomId: string): string {
  return `typing/${roomId}`;
}
