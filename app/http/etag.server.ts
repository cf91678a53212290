import { createHash } from "node:crypto";

import type { PageValues } from "#app/load-context.ts";

/**
 * Returns a page's weak ETag, because Cloudflare compresses pages, which changes the bytes. It ignores the values that differ
 * from response to response.
 */
export function createEtag(page: string, { nonce, messageId, now }: Partial<PageValues>): string {
  // UUIDs and a number. One pass takes a twentieth of the time of a `replaceAll` for each.
  const changing = [nonce, messageId, now].filter((value) => value !== undefined);
  const rest = changing.length > 0 ? page.replace(new RegExp(changing.join("|"), "g"), "") : page;
  return `W/"${createHash("sha256").update(rest).digest("base64url").slice(0, 22)}"`;
}
