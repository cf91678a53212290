import { Buffer } from "node:buffer";

import type { PageValues } from "../../app/load-context.ts";

/** What stands in a stored page for each UUID that differs from response to response. */
const NONCE = "00000000-0000-0000-0000-000000000000";
const MESSAGE_ID = "11111111-1111-1111-1111-111111111111";

/** The end of the tag that the app renders for the note. */
const NOTE_PLACE = ' data-outdated-note="">';

/** All but the bytes of a stored page. */
interface PageHead {
  /** When its rendering began, in milliseconds since the Unix epoch. */
  startedAt: number;
  headers: [string, string][];
  etag: string;
  /** Where the nonces and message ids are, in bytes. */
  nonces: number[];
  messageIds: number[];
  /** Where a note is inserted; -1 if the page has no place for it. */
  notePlace: number;
}

/** A page without what differs from response to response. */
export interface StoredPage {
  head: PageHead;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Takes a rendered page apart. */
export async function createStoredPage(
  response: Response,
  { nonce, messageId }: PageValues,
  startedAt: number,
): Promise<StoredPage> {
  const bytes = Buffer.from(await response.arrayBuffer());
  const nonces = replaceAll(bytes, nonce, NONCE);
  const messageIds = replaceAll(bytes, messageId, MESSAGE_ID);
  const place = bytes.indexOf(NOTE_PLACE);
  const etag = response.headers.get("ETag") ?? (await createEtag(bytes));
  const headers = [...response.headers]
    .filter(([name]) => name !== "etag")
    .map(([name, value]): [string, string] => [name, value.replaceAll(nonce, NONCE)]);
  const notePlace = place < 0 ? -1 : place + NOTE_PLACE.length;
  return {
    head: { startedAt, headers, etag, nonces, messageIds, notePlace },
    bytes: new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  };
}

/** Returns the response for one visitor, with a nonce and a message id of its own. */
export function toResponse(
  { head, bytes }: StoredPage,
  { nonce, messageId }: PageValues,
  note = "",
) {
  const body = Buffer.from(bytes);
  for (const at of head.nonces) body.write(nonce, at, "latin1");
  for (const at of head.messageIds) body.write(messageId, at, "latin1");
  const headers = new Headers(
    head.headers.map(([name, value]): [string, string] => [name, value.replaceAll(NONCE, nonce)]),
  );
  if (note === "" || head.notePlace < 0) {
    headers.set("ETag", head.etag);
    return new Response(body, { headers });
  }
  const [before, after] = [body.subarray(0, head.notePlace), body.subarray(head.notePlace)];
  return new Response(Buffer.concat([before, Buffer.from(note), after]), { headers });
}

/** Returns the ETag of a page's data, which has none. */
async function createEtag(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return `W/"${Buffer.from(digest).subarray(0, 16).toString("base64url")}"`;
}

/** Replaces a text by another of the same length. Returns the places, in bytes. */
function replaceAll(bytes: Buffer, text: string, replacement: string): number[] {
  const places: number[] = [];
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + text.length)) {
    bytes.write(replacement, at, "latin1");
    places.push(at);
  }
  return places;
}
