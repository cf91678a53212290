import { hash } from "#app/http/hash.server.ts";

const LATE_PREFIX = "late";
const ENDED_PREFIX = "gone";
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/**
 * Returns the id of a late session: one that could not be added to the registry when it was created. It is derived from
 * the session's first refresh token, so that all copies of its cookie get the same id.
 */
export async function deriveLateId(refreshToken: string): Promise<string> {
  const digest = await hash(`session ${refreshToken}`);
  const letters = Array.from(digest.subarray(0, 16), (byte) => LETTERS[byte % LETTERS.length]);
  return LATE_PREFIX + letters.join("");
}

/** Whether a session is late: it may be missing from the registry without having ended. */
export function isLateId(id: string): boolean {
  return id.startsWith(LATE_PREFIX);
}

/**
 * Returns the key of a session in the Realtime Database. Its rules cannot count children, but keys of two characters limit
 * their number. If two sessions have the same key, it belongs to the one that requested a page's token last. It is the end
 * of the id, because all late ids start with the same letters.
 */
export function toSlot(id: string): string {
  return id.slice(-2);
}

/** Returns the id of the document that marks a late session as ended. */
export function toEndedId(id: string): string {
  return ENDED_PREFIX + id.slice(LATE_PREFIX.length);
}
