import type { LoaderFunctionArgs } from "@remix-run/cloudflare";

import { catchUnavailable } from "#app/http/catch-unavailable.server.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { findStory } from "./stories.server.ts";
import type { Story } from "./story.ts";

const TYPES = { md: "text/markdown", txt: "text/plain" };

const UNAVAILABLE = "We can't load this story right now. Try again in a moment.\n";

/**
 * Returns a loader that sends a story as a file. If the story is not published, sends the placeholder line of the reading
 * page as text.
 */
export function createDownloadLoader(
  extension: keyof typeof TYPES,
  toText: (story: Story) => string | Promise<string>,
) {
  return async ({ context, params }: LoaderFunctionArgs): Promise<Response> => {
    const story = await catchUnavailable(findStory({ context }, params.id ?? ""));
    if (story instanceof UnavailableError) {
      const headers = { ...toHeaders("txt"), "Cache-Control": "no-store" };
      return new Response(UNAVAILABLE, { status: 503, headers });
    }
    if (!story) return new Response("reading-page works!\n", { headers: toHeaders("txt") });
    const name = `${story.id.replaceAll(/[^\w-]+/g, "-")}.${extension}`;
    const headers = { "Content-Disposition": `attachment; filename="${name}"` };
    return new Response(await toText(story), { headers: { ...headers, ...toHeaders(extension) } });
  };
}

function toHeaders(extension: keyof typeof TYPES) {
  return {
    "Content-Type": `${TYPES[extension]}; charset=utf-8`,
    "Content-Security-Policy": "sandbox",
  };
}
