import type { AppLoadContext } from "@remix-run/cloudflare";

import { getEnv } from "#app/env.server.ts";
import type { Fields } from "#app/firebase/firestore-types.ts";
import { readPath } from "./book.ts";
import aCartographerOfRain from "./previews/a-cartographer-of-rain.md?raw";
import nineDoorsDownTheHill from "./previews/nine-doors-down-the-hill.md?raw";
import saltForTheClockmaker from "./previews/salt-for-the-clockmaker.md?raw";
import theLamplightersOrchard from "./previews/the-lamplighters-orchard.md?raw";
import theUnderstudyMoon from "./previews/the-understudy-moon.md?raw";
import { getPublishedStories, type PublishedStory } from "./published.server.ts";
import { sampleItems } from "./sample-items.server.ts";
import type { Story } from "./story.ts";

interface RequestArgs {
  context: AppLoadContext;
}

const PREVIEWS = new Map([
  ["the-lamplighters-orchard", theLamplightersOrchard],
  ["salt-for-the-clockmaker", saltForTheClockmaker],
  ["nine-doors-down-the-hill", nineDoorsDownTheHill],
  ["a-cartographer-of-rain", aCartographerOfRain],
  ["the-understudy-moon", theUnderstudyMoon],
]);

const PREVIEW_IDS = [...PREVIEWS.keys()];

export type Direction = "previous" | "next";

/** `stored`: finding the story takes a request to the database. */
export type KnownAdjacent =
  | { status: "found"; story: Story }
  | { status: "end" }
  | { status: "stored" };

/** `none`: there is no story with the given id. */
export type Adjacent = { status: "found"; id: string } | { status: "end" } | { status: "none" };

/** The format of `createStoryId`. Other ids cannot be published, so we save the request. */
const PUBLISHED_ID = /^[a-z\d]+(-[a-z\d]+)*-\d{10}$/;

/**
 * Returns the story with that id; `null` if there is none, or if the deployment shows no stories.
 *
 * @throws {UnavailableError}
 */
export async function findStory(args: RequestArgs, id: string): Promise<Story | null> {
  return (await findStoryWith(args, id)).story;
}

/**
 * Returns a story together with other documents in one request. `others` is empty if the user may not read them.
 *
 * @throws {UnavailableError}
 */
export async function findStoryWith(
  { context }: RequestArgs,
  id: string,
  otherDocuments?: Parameters<ReturnType<typeof getPublishedStories>["find"]>[1],
): Promise<{ story: Story | null; others: (Fields | null)[] }> {
  if (getEnv(context).READER === "placeholder") return { story: null, others: [] };
  if (!isPublishedId(id)) return { story: findPreview(id), others: [] };
  const { story, others } = await getPublishedStories(context).find(id, otherDocuments);
  return { story: story && toStory(story), others };
}

export function isPublishedId(id: string): boolean {
  return PUBLISHED_ID.test(id);
}

/**
 * Returns the story before or after another, if that takes no request. Previews come first, then the published stories,
 * newest first.
 */
export function getKnownAdjacent(id: string, direction: Direction): KnownAdjacent {
  const index = PREVIEW_IDS.indexOf(id);
  if (index < 0) return { status: "stored" };
  if (direction === "previous" && index === 0) return { status: "end" };
  const story = findPreview(PREVIEW_IDS[direction === "next" ? index + 1 : index - 1] ?? "");
  return story ? { status: "found", story } : { status: "stored" };
}

/**
 * Returns the id of the story before or after another.
 *
 * @throws {UnavailableError}
 */
export async function getAdjacent(
  { context }: RequestArgs,
  id: string,
  direction: Direction,
): Promise<Adjacent> {
  if (getEnv(context).READER === "placeholder") return { status: "none" };
  const known = getKnownAdjacent(id, direction);
  if (known.status === "end") return known;
  if (known.status === "found") return { status: "found", id: known.story.id };
  const published = getPublishedStories(context);
  if (PREVIEWS.has(id)) return toAdjacent(await published.findNewest());
  if (!isPublishedId(id)) return { status: "none" };
  const adjacent = await published.findAdjacent(id, direction === "next" ? "older" : "newer");
  return toAdjacent(adjacent ?? (direction === "previous" ? PREVIEW_IDS.at(-1) : undefined));
}

function toAdjacent(id: string | undefined): Adjacent {
  return id === undefined ? { status: "end" } : { status: "found", id };
}

function toStory({ cover, text: markdown, ...story }: PublishedStory & { text: string }): Story {
  const { id, title, author, uid, description, tags } = story;
  const isPreview = false;
  return { id, title, author, uid, description, tags, cover: cover ?? "", markdown, isPreview };
}

/** Returns the first page of a sample book. */
function findPreview(id: string): Story | null {
  const markdown = PREVIEWS.get(id);
  const item = sampleItems.find(({ readLink }) => readLink === readPath(id));
  if (markdown === undefined || !item) return null;
  const { title, description, imgPath: cover } = item;
  const author = "Inkglade Editors";
  return { id, title, author, uid: null, description, tags: [], cover, markdown, isPreview: true };
}
