import { base64url } from "jose";

import type { PageValues } from "#app/load-context.ts";
import { hash } from "./hash.server.ts";

/** The first half of a SHA-256 digest. */
const TAG_BYTES = 16;

/** Time zone offsets are multiples of 15 minutes, so dates on a page change only at the start of a quarter-hour. */
const QUARTER_MS = 15 * 60_000;

/** What a page is rendered from. */
export interface PageSource {
  buildId: string;
  url: string;
  /** As sent to the browser. */
  loaderData: string;
  /** HTML from loaders, which is not in their data. */
  html: readonly string[];
}

/**
 * Returns a page's ETag before the page is rendered. It is a weak ETag, because it ignores the values that differ in
 * each response.
 */
export async function createEtag(
  { buildId, url, loaderData, html }: PageSource,
  { messageId, now }: Partial<PageValues>,
): Promise<string> {
  const quarter = now === undefined ? "" : String(now - (now % QUARTER_MS));
  // A UUID and a number, so the pattern needs no escapes.
  const changing = [messageId, now].filter((value) => value !== undefined).join("|");
  const data = changing
    ? loaderData.replace(new RegExp(changing, "g"), (value) => (value === messageId ? "" : quarter))
    : loaderData;
  const digest = await hash([buildId, url, data, ...html].join("\0"));
  return `W/"${base64url.encode(digest.subarray(0, TAG_BYTES))}"`;
}
