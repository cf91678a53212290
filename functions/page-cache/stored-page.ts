import { Buffer } from "node:buffer";

import type { PageValues } from "../../app/load-context.ts";

/** Placeholders in a stored page for the UUIDs that differ in each response. */
const NONCE = "00000000-0000-0000-0000-000000000000";
const MESSAGE_ID = "11111111-1111-1111-1111-111111111111";

/** The end of the start tag of the element for the note, which `OutdatedNote` renders. */
const NOTE_TAG_END = ' data-outdated-note="">';

/** A stored page without its body. */
interface PageHead {
  /** When its rendering began, in milliseconds since the Unix epoch. */
  startedAt: number;
  status: number;
  headers: [string, string][];
  /** Empty for a response that is not a page. */
  etag: string;
  /** The byte offsets of the nonces, and of the message ids below. */
  nonces: number[];
  messageIds: number[];
  /** The byte offset where a note is inserted; -1 if the page has no element for it. */
  noteIndex: number;
}

/** A page with placeholders for the values that differ in each response. */
export interface StoredPage {
  head: PageHead;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Replaces the nonce and the message id in a rendered page, or in another response, with placeholders. */
export async function createStoredPage(
  response: Response,
  body: ArrayBuffer,
  { nonce, messageId }: PageValues,
  startedAt: number,
): Promise<StoredPage> {
  const bytes = Buffer.from(body);
  const nonces = replaceAll(bytes, nonce, NONCE);
  const messageIds = replaceAll(bytes, messageId, MESSAGE_ID);
  const tagIndex = bytes.indexOf(NOTE_TAG_END);
  const { status } = response;
  const etag = response.headers.get("ETag") ?? (status === 200 ? await createEtag(bytes) : "");
  const headers = [...response.headers]
    .filter(([name]) => name !== "etag")
    .map(([name, value]): [string, string] => [name, value.replaceAll(nonce, NONCE)]);
  const noteIndex = tagIndex < 0 ? -1 : tagIndex + NOTE_TAG_END.length;
  return {
    head: { startedAt, status, headers, etag, nonces, messageIds, noteIndex },
    bytes: new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  };
}

/** Returns the response for one visitor, with its own nonce and message id. */
export function toResponse(
  { head, bytes }: StoredPage,
  { nonce, messageId }: PageValues,
  note = "",
) {
  // Copies all bytes at once. workerd's `Buffer.from(bytes)` takes three times as long.
  const body = Buffer.from(bytes.slice().buffer);
  for (const at of head.nonces) body.write(nonce, at, "latin1");
  for (const at of head.messageIds) body.write(messageId, at, "latin1");
  const headers = new Headers(
    head.headers.map(([name, value]): [string, string] => [name, value.replaceAll(NONCE, nonce)]),
  );
  if (note === "" || head.noteIndex < 0) {
    if (head.etag) headers.set("ETag", head.etag);
    // Some statuses allow no body, not even an empty one.
    return new Response(body.length > 0 ? body : null, { status: head.status, headers });
  }
  // For the service worker this is not the visitor's latest page: see app/http/headers.ts.
  headers.delete("X-Page-User");
  const [before, after] = [body.subarray(0, head.noteIndex), body.subarray(head.noteIndex)];
  return new Response(Buffer.concat([before, Buffer.from(note), after]), { headers });
}

/** Creates an ETag for a page's data, which the app sends without one. */
async function createEtag(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return `W/"${Buffer.from(digest).subarray(0, 16).toString("base64url")}"`;
}

/** Replaces a text with another of the same length. Returns the byte offsets. */
function replaceAll(bytes: Buffer, text: string, replacement: string): number[] {
  const offsets: number[] = [];
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + text.length)) {
    bytes.write(replacement, at, "latin1");
    offsets.push(at);
  }
  return offsets;
}
