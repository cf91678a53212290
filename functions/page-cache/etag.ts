import { Buffer } from "node:buffer";

import type { PageValues } from "../../app/load-context.ts";
import { createEtag } from "./stored-page.ts";

/**
 * Adds an ETag to a page, which ignores what differs from response to response. Returns a 304 if the browser has the same
 * page. A page that sets a cookie is always sent.
 *
 * @param asked the headers of the request
 */
export async function withEtag(
  asked: Headers,
  response: Response,
  values: PageValues,
): Promise<Response> {
  const { status, headers } = response;
  const isPage = headers.get("Content-Type")?.startsWith("text/html") ?? false;
  const isStored = !/no-store/.test(headers.get("Cache-Control") ?? "");
  if (status !== 200 || !isPage || !isStored) return response;

  const body = await response.arrayBuffer();
  const etag = await createEtag(withoutValues(body, values));
  if (isUnchanged(asked, etag) && headers.getSetCookie().length === 0) {
    return createNotModified(etag, headers);
  }
  const result = new Response(body, response);
  result.headers.set("ETag", etag);
  return result;
}

/** Whether the browser has the page of this ETag. @see https://www.rfc-editor.org/rfc/rfc9110#name-if-none-match */
export function isUnchanged(asked: Headers, etag: string): boolean {
  const tags = asked.get("If-None-Match")?.split(",") ?? [];
  return tags.some((tag) => toOpaque(tag) === toOpaque(etag));
}

/**
 * Returns a 304. The browser keeps the stored page with all its headers, except those that are sent again. So it has no
 * Content-Security-Policy: a new nonce would not be that of the stored page's scripts.
 */
export function createNotModified(etag: string, page: Headers): Response {
  const headers = new Headers({ ETag: etag });
  for (const name of ["Cache-Control", "Vary"]) {
    const value = page.get(name);
    if (value !== null) headers.set(name, value);
  }
  return new Response(null, { status: 304, headers });
}

function toOpaque(tag: string): string {
  return tag.trim().replace(/^W\//, "");
}

function withoutValues(body: ArrayBuffer, { nonce, messageId, now }: PageValues) {
  const text = Buffer.from(body).toString("latin1");
  const rest = [nonce, messageId, String(now)].reduce(
    (all, value) => all.replaceAll(value, ""),
    text,
  );
  return Buffer.from(rest, "latin1");
}
