import type { AppLoadContext, LoaderFunctionArgs } from "@remix-run/cloudflare";

import { catchUnavailable, UnavailableError } from "#app/http/unavailable-error.server.ts";
import { toStoryPath, toTagPath, toWriterPath } from "./book.ts";
import { getPublishedStories, MAX_LISTED, type PublishedStory } from "./published.server.ts";
import { readSearch } from "./search.ts";
import { normalizeTag } from "./terms.ts";
import { escapeXml, sendUnavailable } from "./xml.server.ts";

/** Feed readers use their own copy for five minutes. */
const CACHE_CONTROL = "public, max-age=300";

interface Feed {
  title: string;
  /** The path of the page that lists the stories. */
  path: string;
  stories: PublishedStory[];
}

/**
 * Responds with the newest published stories as an Atom feed: all, with `writer` a writer's, and with `tag` those with a
 * tag.
 *
 * @see https://www.rfc-editor.org/rfc/rfc4287
 */
export async function sendFeed({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const { origin, searchParams } = new URL(request.url);
  const { writer, tags } = readSearch(searchParams);
  const feed = await catchUnavailable(loadFeed(context, writer, tags[0]));
  if (feed instanceof UnavailableError) return sendUnavailable();
  return new Response(toFeed(origin, feed), {
    headers: {
      "Content-Type": "application/atom+xml; charset=utf-8",
      "Cache-Control": CACHE_CONTROL,
    },
  });
}

async function loadFeed(
  context: AppLoadContext,
  writer: string,
  tag: string | undefined,
): Promise<Feed> {
  const published = getPublishedStories(context);
  if (writer === "" && tag === undefined) {
    return { title: "Inkglade", path: "/home", stories: await published.list() };
  }
  const none = { word: undefined, language: undefined, after: undefined };
  const query = { ...none, sort: "new", limit: MAX_LISTED } as const;
  if (writer === "" && tag !== undefined) {
    const { stories } = await published.listPage({ ...query, tag, writer: undefined });
    // The index can have terms that a story lacks.
    const isTagged = ({ tags }: PublishedStory) =>
      tags.map(normalizeTag).includes(normalizeTag(tag));
    const title = `Inkglade: stories tagged “${tag}”`;
    return { title, path: toTagPath(tag), stories: stories.filter(isTagged) };
  }
  const { stories } = await published.listPage({ ...query, tag: undefined, writer });
  const title = `Inkglade: stories by ${stories[0]?.author ?? "a writer"}`;
  return { title, path: toWriterPath(writer), stories };
}

function toFeed(origin: string, { title, path, stories }: Feed): string {
  const updated = Math.max(0, ...stories.map(({ updatedAt }) => updatedAt));
  const address = escapeXml(origin + path.replace("/home", "/feed.xml"));
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <title>${escapeXml(title)}</title>
  <subtitle>New stories from our writers</subtitle>
  <id>${address}</id>
  <link rel="self" href="${address}"/>
  <link href="${escapeXml(origin + path)}"/>
  <updated>${toTime(updated)}</updated>
${stories.map((story) => toEntry(origin, story)).join("")}</feed>
`;
}

function toEntry(origin: string, story: PublishedStory): string {
  const address = escapeXml(origin + toStoryPath(story.id));
  const categories = story.tags.map((tag) => `    <category term="${escapeXml(tag)}"/>\n`);
  return `  <entry>
    <title>${escapeXml(story.title)}</title>
    <id>${address}</id>
    <link href="${address}"/>
    <published>${toTime(story.publishedAt)}</published>
    <updated>${toTime(story.updatedAt)}</updated>
    <author>
      <name>${escapeXml(story.author)}</name>
      <uri>${escapeXml(origin + toWriterPath(story.uid))}</uri>
    </author>
    <summary>${escapeXml(story.description)}</summary>
${categories.join("")}  </entry>
`;
}

function toTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
