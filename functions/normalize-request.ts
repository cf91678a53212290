/** Remix checks these again and throws if its result differs from the middleware's. */
const ORIGIN_HEADERS = ["Origin", "X-Forwarded-Host"];

/**
 * The data parameter of Remix without single fetch. Our scripts never send it, and Remix responds to it with an error.
 */
const LEGACY_DATA_PARAM = "_data";

/** Removes what the app doesn't use and Remix would respond to with a 500. */
export function normalizeRequest(request: Request): Request {
  const { method, headers, body } = request;
  const url = new URL(request.url);
  const hasUnusedBody = body !== null && (method === "GET" || method === "HEAD");
  const isNormal =
    !hasUnusedBody &&
    !url.searchParams.has(LEGACY_DATA_PARAM) &&
    ORIGIN_HEADERS.every((name) => !headers.has(name));
  if (isNormal) return request;

  url.searchParams.delete(LEGACY_DATA_PARAM);
  const normalized = hasUnusedBody
    ? new Request(url, { method, headers, redirect: "manual" })
    : new Request(url, request);
  for (const name of ORIGIN_HEADERS) normalized.headers.delete(name);
  return normalized;
}
