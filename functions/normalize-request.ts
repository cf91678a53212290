/** By these Remix judges once more where a request comes from, and fails where it comes to another end than we did. */
const ORIGIN_HEADERS = ["Origin", "X-Forwarded-Host"];

/** How scripts of earlier Remix asked for data. Ours never do, and Remix logs each as an error or fails. */
const OLD_DATA = "_data";

/** Returns the request without what Remix would answer with a 500: what is taken away means nothing to the app. */
export function normalizeRequest(request: Request): Request {
  const { method, headers, body } = request;
  const url = new URL(request.url);
  const hasUselessBody = body !== null && (method === "GET" || method === "HEAD");
  const isPlain =
    !hasUselessBody &&
    !url.searchParams.has(OLD_DATA) &&
    ORIGIN_HEADERS.every((name) => !headers.has(name));
  if (isPlain) return request;

  url.searchParams.delete(OLD_DATA);
  const plain = hasUselessBody
    ? new Request(url, { method, headers, redirect: "manual" })
    : new Request(url, request);
  for (const name of ORIGIN_HEADERS) plain.headers.delete(name);
  return plain;
}
