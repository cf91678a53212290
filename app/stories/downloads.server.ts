import type { LoaderFunctionArgs } from "@remix-run/cloudflare";

import { catchUnavailable, UnavailableError } from "#app/http/unavailable-error.server.ts";
import { findStory } from "./stories.server.ts";
import type { Story } from "./story.ts";

const TYPES = {
  md: "text/markdown; charset=utf-8",
  txt: "text/plain; charset=utf-8",
  epub: "application/epub+zip",
};

const UNAVAILABLE = "We can't load this story right now. Try again in a moment.\n";

/**
 * Returns a loader that sends a story as a file. If the story is not published, sends the placeholder line of the reading
 * page as text; for a book, with the status of a missing file.
 */
export function createDownloadLoader(
  extension: keyof typeof TYPES,
  toFile: (story: Story, origin: string) => Promise<string | Uint8Array<ArrayBuffer>>,
) {
  return async ({ request, context, params }: LoaderFunctionArgs): Promise<Response> => {
    const story = await catchUnavailable(findStory({ context }, params.id ?? ""));
    if (story instanceof UnavailableError) {
      const headers = { ...toHeaders("txt"), "Cache-Control": "no-store" };
      return new Response(UNAVAILABLE, { status: 503, headers });
    }
    if (!story) {
      const status = extension === "epub" ? 404 : 200;
      return new Response("reading-page works!\n", { status, headers: toHeaders("txt") });
    }
    const name = `${story.id.replaceAll(/[^\w-]+/g, "-")}.${extension}`;
    const headers = { "Content-Disposition": `attachment; filename="${name}"` };
    const isHead = request.method === "HEAD";
    const file = isHead ? null : await toFile(story, new URL(request.url).origin);
    return new Response(file, { headers: { ...headers, ...toHeaders(extension) } });
  };
}

function toHeaders(extension: keyof typeof TYPES) {
  return {
    "Content-Type": TYPES[extension],
    "Content-Security-Policy": "sandbox",
  };
}
