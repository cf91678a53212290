import type { AppLoadContext, LoaderFunctionArgs } from "@remix-run/cloudflare";

import { getEnv } from "#app/env.server.ts";
import { catchUnavailable, UnavailableError } from "#app/http/unavailable-error.server.ts";
import { toStoryPath, toWriterPath } from "./book.ts";
import { BUILT_IN_WRITER, builtInStories } from "./built-in.server.ts";
import { getPublishedStories, MAX_LISTED } from "./published.server.ts";
import { escapeXml, sendUnavailable } from "./xml.server.ts";

const CACHE_CONTROL = "public, max-age=3600";

/** Each sitemap has the stories that were published in a week. Weeks are counted from the Unix epoch. */
const WEEK_MS = 7 * 24 * 60 * 60_000;

/** In 2020, before there were any stories. */
const FIRST_WEEK = 2609;

/** Pages that always exist. */
const PAGES = ["/home", "/about", "/how-the-room-works", "/privacy"];

interface Entry {
  path: string;
  /** Milliseconds since the Unix epoch. */
  updatedAt?: number | undefined;
}

/**
 * Responds with the index of the sitemaps, or with one: with `week` the stories of a week and their writers, with `pages`
 * the built-in stories and other pages. Takes two requests for the index, and three for a sitemap.
 *
 * @see https://www.sitemaps.org/protocol.html
 */
export async function sendSitemap({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const { origin, searchParams } = new URL(request.url);
  const week = searchParams.get("week");
  const xml = await catchUnavailable(
    searchParams.has("pages")
      ? Promise.resolve(toSitemap(origin, listPages(context)))
      : week === null
        ? loadIndex(context).then((entries) => toIndex(origin, entries))
        : loadWeek(context, week).then((entries) => entries && toSitemap(origin, entries)),
  );
  if (xml instanceof UnavailableError) return sendUnavailable();
  if (xml === null) return new Response("There is no such sitemap.\n", { status: 404 });
  const headers = { "Content-Type": "application/xml", "Cache-Control": CACHE_CONTROL };
  return new Response(xml, { headers });
}

function listPages(context: AppLoadContext): Entry[] {
  const stories = hasStories(context) ? builtInStories : [];
  return [
    ...PAGES.map((path) => ({ path })),
    ...stories.map(({ id }) => ({ path: toStoryPath(id) })),
    ...(stories.length > 0 ? [{ path: toWriterPath(BUILT_IN_WRITER.uid) }] : []),
  ];
}

/** Lists the weeks of the newest stories, and all weeks before them. */
async function loadIndex(context: AppLoadContext): Promise<Entry[]> {
  const weeks = new Map<number, number>();
  if (hasStories(context)) {
    const published = getPublishedStories(context);
    const [stories, oldest] = await Promise.all([published.list(), published.findOldest()]);
    for (const { publishedAt, updatedAt } of stories) {
      const week = toWeek(publishedAt);
      weeks.set(week, Math.max(updatedAt, weeks.get(week) ?? 0));
    }
    const last = stories.length < MAX_LISTED ? 0 : toWeek(stories.at(-1)?.publishedAt ?? 0);
    const first = oldest ? toWeek(oldest.publishedAt) : last;
    for (let week = first; week < last; week++) weeks.set(week, 0);
  }
  return [
    { path: "/sitemap.xml?pages" },
    ...Array.from(weeks, ([week, updatedAt]) => ({ path: `/sitemap.xml?week=${week}`, updatedAt })),
  ];
}

/** Returns the stories of a week and their writers; `null` if there is no such week. */
async function loadWeek(context: AppLoadContext, text: string): Promise<Entry[] | null> {
  const week = /^\d{4,5}$/.test(text) ? Number(text) : 0;
  if (week < FIRST_WEEK || week > toWeek(Date.now()) || !hasStories(context)) return null;
  const start = week * WEEK_MS;
  const stories = await getPublishedStories(context).listBetween(start, start + WEEK_MS);
  const writers = new Map<string, number>();
  for (const { uid, updatedAt } of stories) {
    writers.set(uid, Math.max(updatedAt, writers.get(uid) ?? 0));
  }
  const entries = [
    ...stories.map(({ id, updatedAt }) => ({ path: toStoryPath(id), updatedAt })),
    ...Array.from(writers, ([uid, updatedAt]) => ({ path: toWriterPath(uid), updatedAt })),
  ];
  // A sitemap must not be empty.
  return entries.length > 0 ? entries : [{ path: "/home" }];
}

function hasStories(context: AppLoadContext): boolean {
  return getEnv(context).READER === "full";
}

function toWeek(time: number): number {
  return Math.floor(time / WEEK_MS);
}

function toIndex(origin: string, entries: Entry[]): string {
  const items = entries.map((entry) => `<sitemap>${toLocation(origin, entry)}</sitemap>\n`);
  return toXml("sitemapindex", items);
}

function toSitemap(origin: string, entries: Entry[]): string {
  return toXml(
    "urlset",
    entries.map((entry) => `<url>${toLocation(origin, entry)}</url>\n`),
  );
}

function toLocation(origin: string, { path, updatedAt }: Entry): string {
  const date = updatedAt ? `<lastmod>${new Date(updatedAt).toISOString()}</lastmod>` : "";
  return `<loc>${escapeXml(origin + path)}</loc>${date}`;
}

function toXml(name: string, items: string[]): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<${name} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${items.join("")}</${name}>
`;
}
