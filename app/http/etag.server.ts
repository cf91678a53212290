import { createHash } from "node:crypto";

import type { PageValues } from "#app/load-context.ts";

/**
 * Returns a page's weak ETag, because Cloudflare compresses pages, which changes the bytes. It ignores the values that differ
 * from response to response.
 */
export function createEtag(page: string, values: Partial<PageValues>): string {
  const { nonce, messageId, now } = values;
  const changing = [nonce, messageId, now?.toString()].filter((value) => value !== undefined);
  const rest = changing.reduce((text, value) => text.replaceAll(value, ""), page);
  return `W/"${createHash("sha256").update(rest).digest("base64url").slice(0, 22)}"`;
}
