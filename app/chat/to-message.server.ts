import type { DocumentSnapshot } from "#app/firebase/firestore-types.ts";
import { ANONYMOUS, readMessage, type Message } from "./message.ts";

/** Returns nothing for an invalid document, so that it does not empty the feed. */
export function toMessage({ id, fields, createTime, updateTime }: DocumentSnapshot): Message[] {
  const { createdAt } = fields;
  const message = readMessage(id, fields, createdAt instanceof Date ? createdAt.getTime() : null);
  if (!message) return [];
  // Saves a request for the records of edits. Messages also change when they become anonymous.
  const isEdited = updateTime !== createTime && message.displayName !== ANONYMOUS;
  return [isEdited ? { ...message, isEdited } : message];
}
