import type { MetaDescriptor } from "@remix-run/cloudflare";

import type { ReadingData } from "#app/reading/reading-data.ts";
import { describePage, type PageMetaArgs } from "#app/site/page-meta.ts";
import { toStoryPath, toWriterPath } from "#app/stories/book.ts";
import literataItalic from "#app/styles/subsets/literata-400-italic.woff2?url";
import literata from "#app/styles/subsets/literata-400.woff2?url";

const DESCRIPTION = "Read a story and talk about it in the room.";

/** Returns the `meta` of a reading page, with the fonts that the beginning of the story needs. */
export function describeReading(args: PageMetaArgs, story: ReadingData | null) {
  // The status without a story is 200, so search engines would list this page as one.
  if (!story) {
    return describePage(args, { title: "Reading", description: DESCRIPTION, canonical: null });
  }
  const { id, title, author } = story;
  const picture = toPicturePath(story);
  return [
    ...describePage(args, {
      title,
      description: story.description || `A story by ${author}. ${DESCRIPTION}`,
      type: "article",
      canonical: toStoryPath(id),
      picture: { path: picture, alt: `${title}, by ${author}` },
    }),
    ...preloadFonts(story),
    { "script:ld+json": toStructuredData(story, picture) },
  ];
}

/** Its address changes with the story, because other sites keep pictures. */
function toPicturePath({ id, updatedAt }: ReadingData): string {
  return `${toStoryPath(id)}.png${updatedAt === null ? "" : `?v=${Math.floor(updatedAt)}`}`;
}

/** @see https://schema.org/ShortStory */
function toStructuredData(story: ReadingData, picture: string) {
  const { address, title, author, uid, description, tags, words, language } = story;
  const toUrl = (path: string) => new URL(path, address).href;
  return {
    "@context": "https://schema.org",
    "@type": ["Article", "ShortStory"],
    headline: title,
    url: address,
    image: toUrl(picture),
    author: { "@type": "Person", name: author, url: toUrl(toWriterPath(uid)) },
    description: description || undefined,
    keywords: tags.length > 0 ? tags : undefined,
    inLanguage: language,
    wordCount: words,
    datePublished: toDate(story.publishedAt),
    dateModified: toDate(story.updatedAt),
    isAccessibleForFree: true,
  };
}

function toDate(time: number | null): string | undefined {
  return time === null ? undefined : new Date(time).toISOString();
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
