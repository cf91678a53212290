/** Joins headers. Appends repeated ones, so that all `Set-Cookie` headers are sent. */
export function joinHeaders(...parts: HeadersInit[]): Headers {
  const headers = new Headers();
  for (const part of parts) new Headers(part).forEach((value, name) => headers.append(name, value));
  return headers;
}

/** Responds to a script with JSON that no cache stores. */
export function respondWithJson(body: unknown, { status, headers }: ResponseInit = {}): Response {
  const joined = joinHeaders(headers ?? {}, { "Cache-Control": "no-store" });
  return Response.json(body, { status, headers: joined });
}

/**
 * The response header with the uid of the user that a page is for. The service worker reads it: what it keeps is for that
 * user only. functions/page-cache/ removes it from a page that stands in for another.
 */
export const PAGE_USER_HEADER = "X-Page-User";

/** Its value for visitors. */
export const VISITOR = "-";
