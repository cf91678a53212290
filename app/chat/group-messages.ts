import type { Message } from "./message.ts";

const GROUP_MS = 5 * 60_000;

type Sent = Pick<Message, "uid" | "createdAt">;

/**
 * Whether a message stands close to the one before it: both have the same sender, within five minutes.
 *
 * @param now the time of messages that have not been stored, in milliseconds since the Unix epoch
 */
export function isSameGroup(previous: Sent | undefined, message: Sent, now: number): boolean {
  if (previous?.uid !== message.uid) return false;
  return Math.abs((message.createdAt ?? now) - (previous.createdAt ?? now)) <= GROUP_MS;
}
