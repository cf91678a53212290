import * as z from "zod";

/** Longer `User-Agent` values are cut. */
export const MAX_DEVICE_LENGTH = 300;

const time = z.int().nonnegative();

/** The exact fields of a session in the registry. Times are milliseconds since the Unix epoch, by the server's clock. */
export const listedSessionSchema = z.strictObject({
  /** The browser's `User-Agent`. Its length is counted in UTF-16 units, as in `firestore.rules`. */
  device: z.string().refine((device) => device.length <= MAX_DEVICE_LENGTH),
  signedInAt: time,
  seenAt: time,
});

/** Returns the path of the collection of a user's sessions. */
export function getSessionsPath(uid: string): string {
  return `users/${uid}/sessions`;
}

/** Returns the path of a user's sessions in the Realtime Database, which only its rules read. */
export function getSlotsPath(uid: string): string {
  return `sessions/${uid}`;
}

/** Whether a value has the format of a session's id. `firestore.rules` checks the same. */
export function isSessionId(id: unknown): id is string {
  return typeof id === "string" && /^[A-Za-z0-9]{20}$/.test(id);
}
