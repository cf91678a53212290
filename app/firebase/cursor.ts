import { isDocumentId } from "./document-id.ts";

/** A document in a list by time. Other documents are loaded before or after it. */
export interface Cursor {
  id: string;
  /** Milliseconds since the Unix epoch, with microseconds as a fraction. */
  time: number;
}

/** After the last time that Firestore can store. */
const END_OF_TIME = Date.UTC(10_000, 0);

/** Formats a cursor for a URL. */
export function formatCursor({ id, time }: Cursor): string {
  return `${time}-${id}`;
}

/** Reads a cursor that `formatCursor` returned. Returns `null` for any other text. */
export function readCursor(text: string | null): Cursor | null {
  const [, time, id] = /^(\d{1,15}(?:\.\d{1,3})?)-(.+)$/.exec(text ?? "") ?? [];
  return isDocumentId(id) && Number(time) < END_OF_TIME ? { id, time: Number(time) } : null;
}
