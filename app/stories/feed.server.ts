import type { LoaderFunctionArgs } from "@remix-run/cloudflare";

import { catchUnavailable } from "#app/http/catch-unavailable.server.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { toStoryPath, toWriterPath } from "./book.ts";
import { getPublishedStories, type PublishedStory } from "./published.server.ts";
import { escapeXml } from "./xml.server.ts";

/** Feed readers use their own copy for five minutes. */
const CACHE_CONTROL = "public, max-age=300";

/**
 * Responds with the newest published stories as an Atom feed.
 *
 * @see https://www.rfc-editor.org/rfc/rfc4287
 */
export async function sendFeed({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const stories = await catchUnavailable(getPublishedStories(context).list());
  if (stories instanceof UnavailableError) {
    const headers = { "Cache-Control": "no-store", "Retry-After": "60" };
    return new Response("We can't load the stories right now.\n", { status: 503, headers });
  }
  return new Response(toFeed(new URL(request.url).origin, stories), {
    headers: {
      "Content-Type": "application/atom+xml; charset=utf-8",
      "Cache-Control": CACHE_CONTROL,
    },
  });
}

function toFeed(origin: string, stories: PublishedStory[]): string {
  const updated = Math.max(0, ...stories.map(({ updatedAt }) => updatedAt));
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <title>Inkglade</title>
  <subtitle>New stories from our writers</subtitle>
  <id>${origin}/feed.xml</id>
  <link rel="self" href="${origin}/feed.xml"/>
  <link href="${origin}/home"/>
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
