import type { Mute } from "./mute.ts";

/** Returns the path of the copy of a user's mute in the Realtime Database, whose rules cannot read Firestore. */
export function getMutedPath(uid: string): string {
  return `muted/${uid}`;
}

/** Reads a copy, whose time is in milliseconds. Returns `null` for any other value. */
export function readMute(value: unknown): Mute | null {
  if (typeof value !== "object" || value === null) return null;
  const { until, reason } = { until: null, reason: null, ...value };
  return typeof until === "number" && typeof reason === "string" ? { until, reason } : null;
}
