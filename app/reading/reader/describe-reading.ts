import type { MetaDescriptor } from "@remix-run/cloudflare";

import type { ReadingData } from "#app/reading/reading-data.ts";
import { describePage } from "#app/site/page-meta.ts";
import literataItalic from "#app/styles/subsets/literata-400-italic.woff2?url";
import literata from "#app/styles/subsets/literata-400.woff2?url";

const DESCRIPTION = "Read a story and talk about it in the room.";

/** Returns the `meta` of a reading page, with the fonts that the beginning of the story needs. */
export function describeReading(story: ReadingData | null, isMissing: boolean) {
  return [
    ...describePage({
      title: story?.title ?? "Reading",
      description: story?.description || DESCRIPTION,
      type: story ? "article" : "website",
    }),
    ...(story ? preloadFonts(story) : []),
    // The status is 200, so search engines would index this page as the story.
    ...(isMissing ? [{ name: "robots", content: "noindex" }] : []),
  ];
}

/** Loads the fonts of the text along with the style sheet, and not after it. */
function preloadFonts({ settings, startsWithItalics }: ReadingData): MetaDescriptor[] {
  if (settings.font !== "literata") return [];
  return [literata, ...(startsWithItalics ? [literataItalic] : [])].map((href) => ({
    tagName: "link",
    rel: "preload",
    as: "font",
    type: "font/woff2",
    href,
    crossOrigin: "anonymous",
  }));
}
