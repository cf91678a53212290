import type { LoaderFunctionArgs } from "@remix-run/cloudflare";

/** Pages with forms, and addresses without a page. */
const DISALLOWED = ["/create", "/profile", "/rooms/"];

/** Responds with what search engines may fetch. Not a file, because the sitemap's address must be absolute. */
export function loader({ request }: LoaderFunctionArgs): Response {
  const { origin } = new URL(request.url);
  const paths = DISALLOWED.map((path) => `Disallow: ${path}\n`).join("");
  return new Response(`User-agent: *\nAllow: /\n${paths}\nSitemap: ${origin}/sitemap.xml\n`, {
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": "public, max-age=3600",
    },
  });
}
