/** Returns a 304 instead of a page that the browser has. A page that sets a cookie is always sent. */
export function withNotModified(asked: Headers, response: Response): Response {
  const etag = response.headers.get("ETag");
  const isSame = etag !== null && isUnchanged(asked, etag);
  if (!isSame || response.headers.getSetCookie().length > 0) return response;
  return createNotModified(etag, response.headers);
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
