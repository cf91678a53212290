import * as z from "zod";

/** As much of what a browser says of itself as is kept. */
export const MAX_DEVICE_LENGTH = 300;

const time = z.int().nonnegative();

/** The exact fields of a session on its owner's list. Times are milliseconds since the Unix epoch, by our clock. */
export const listedSessionSchema = z.strictObject({
  /** The browser's own words: its `User-Agent`. In UTF-16 units, as the rules count. */
  device: z.string().refine((device) => device.length <= MAX_DEVICE_LENGTH),
  signedInAt: time,
  seenAt: time,
});

/** The path of the collection of a person's sessions, each named by an id of its own. */
export function sessionsPath(uid: string): string {
  return `users/${uid}/sessions`;
}

/** Whether it is an id of ours, as the rules have it too. */
export function isSessionId(id: unknown): id is string {
  return typeof id === "string" && /^[A-Za-z0-9]{20}$/.test(id);
}
