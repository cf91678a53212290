/**
 * Returns a page that needs neither Remix nor its scripts.
 *
 * @param body HTML
 */
export function createPlainPage(status: number, title: string, body: string): Response {
  const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Inkglade</title>
<h1>${title}</h1>
${body}
<p><a href="/home">Go to the stories</a></p>
</html>
`;
  return new Response(page, {
    status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "no-store",
    },
  });
}
