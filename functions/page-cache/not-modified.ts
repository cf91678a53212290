/** Whether the browser has the page with this ETag. @see https://www.rfc-editor.org/rfc/rfc9110#name-if-none-match */
export function isUnchanged(requestHeaders: Headers, etag: string): boolean {
  return readEtags(requestHeaders).some((tag) => toOpaqueTag(tag) === toOpaqueTag(etag));
}

export function readEtags(requestHeaders: Headers): string[] {
  return (
    requestHeaders
      .get("If-None-Match")
      ?.split(",")
      .map((tag) => tag.trim()) ?? []
  );
}

/**
 * Returns a 304. The browser uses its stored page with the stored headers, except for the headers of the 304. The 304 has
 * no Content-Security-Policy, because the scripts of the stored page have the nonce of the stored policy.
 */
export function createNotModified(etag: string, page: Headers): Response {
  const headers = new Headers({ ETag: etag });
  for (const name of ["Cache-Control", "Vary"]) {
    const value = page.get(name);
    if (value !== null) headers.set(name, value);
  }
  return new Response(null, { status: 304, headers });
}

function toOpaqueTag(tag: string): string {
  return tag.replace(/^W\//, "");
}
