import type { LoaderFunctionArgs } from "@remix-run/cloudflare";

import { findStory } from "./stories.server.ts";
import type { Story } from "./story.ts";

const TYPES = { md: "text/markdown", txt: "text/plain" };

const UNREACHABLE = "We can't load this story right now. Try again in a moment.\n";

/**
 * Returns a loader that hands out a story as a file. Where nothing is published, the address is one of a reading page
 * like any other, and so has its one line.
 */
export function toFile(extension: keyof typeof TYPES, write: (story: Story) => string) {
  return async ({ context, params }: LoaderFunctionArgs): Promise<Response> => {
    const story = await findStory({ context }, params.id ?? "");
    if (story === "unreachable") {
      const headers = { ...toHeaders("txt"), "Cache-Control": "no-store" };
      return new Response(UNREACHABLE, { status: 503, headers });
    }
    if (!story) return new Response("reading-page works!\n", { headers: toHeaders("txt") });
    const name = `${story.id.replaceAll(/[^\w-]+/g, "-")}.${extension}`;
    const headers = { "Content-Disposition": `attachment; filename="${name}"` };
    return new Response(write(story), { headers: { ...headers, ...toHeaders(extension) } });
  };
}

function toHeaders(extension: keyof typeof TYPES) {
  return {
    "Content-Type": `${TYPES[extension]}; charset=utf-8`,
    "Content-Security-Policy": "sandbox",
  };
}
