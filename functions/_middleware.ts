interface PagesContext {
  request: Request;
  next: () => Promise<Response>;
}

/**
 * Refuses whatever another site sends in a visitor's name, before any route sees it: all but reading
 * takes an `Origin`, or a `Sec-Fetch-Site`, that says it is ours.
 */
export function onRequest({ request, next }: PagesContext): Promise<Response> | Response {
  return isReading(request) || isOurs(request) ? next() : refuse();
}

function isReading({ method }: Request): boolean {
  return method === "GET" || method === "HEAD" || method === "OPTIONS";
}

function isOurs({ url, headers }: Request): boolean {
  const origin = headers.get("Origin");
  // Privacy settings turn the origin of our own forms into "null"; the browser still says where they came from.
  if (origin !== null && origin !== "null") return origin === new URL(url).origin;
  return headers.get("Sec-Fetch-Site") === "same-origin";
}

function refuse(): Response {
  const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Not sent · Inkglade</title>
<h1>Not sent</h1>
<p>This form did not come from Inkglade, so nothing was done with it.</p>
<p>If you sent it from one of our pages, go back, reload the page and send it again.</p>
<p><a href="/home">To the stories</a></p>
</html>
`;
  return new Response(page, {
    status: 403,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": "default-src 'none'",
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
    },
  });
}
