import type { AppLoadContext } from "@remix-run/cloudflare";

import { getEnv } from "#app/env.server.ts";
import type { Fields } from "#app/firebase/documents.server.ts";
import { withTimeout } from "#app/http/timeout.server.ts";
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

const OPENINGS = new Map([
  ["the-lamplighters-orchard", theLamplightersOrchard],
  ["salt-for-the-clockmaker", saltForTheClockmaker],
  ["nine-doors-down-the-hill", nineDoorsDownTheHill],
  ["a-cartographer-of-rain", aCartographerOfRain],
  ["the-understudy-moon", theUnderstudyMoon],
]);

const OPENING_IDS = [...OPENINGS.keys()];

/** Where a story stands beside another. */
export type Side = "previous" | "next";

/** Published stories have ten digits at the end of their ids; nothing else is worth asking the database for. */
const PUBLISHED_ID = /^[a-z\d]+(-[a-z\d]+)*-\d{10}$/;

/** A page waits no longer for a story. */
const TIMEOUT_MS = 2000;

/** What is published under an id: nothing, a story, or something that the database does not hand out right now. */
export type FoundStory = Story | "unreachable" | null;

/** Returns the story that is published under that id. There is none where a deployment shows none. */
export async function findStory({ context }: RequestArgs, id: string): Promise<FoundStory> {
  return (await findStoryWith({ context }, id)).story;
}

/** Returns the same, with other documents that the user may read; `null` for them where they were not read. */
export async function findStoryWith(
  { context }: RequestArgs,
  id: string,
  also?: Parameters<ReturnType<typeof getPublishedStories>["find"]>[1],
): Promise<{ story: FoundStory; others: (Fields | null)[] | null }> {
  if (getEnv(context).READER === "placeholder") return { story: null, others: null };
  if (!isPublishedId(id)) return { story: findOpening(id), others: null };
  try {
    const found = getPublishedStories(context).find(id, also);
    const { story, others } = await withTimeout(found, TIMEOUT_MS);
    return { story: story && toStory(story), others };
  } catch {
    // It has been logged.
    return { story: "unreachable", others: null };
  }
}

/** Published stories have ten digits at the end of their ids. */
export function isPublishedId(id: string): boolean {
  return PUBLISHED_ID.test(id);
}

/**
 * Returns the ids of the stories before and after that one: first come the openings, then what writers have published,
 * newest first. `undefined` stands for one that only the database knows: see `findBeside`.
 */
export function getNeighbours(id: string): Record<Side, Story | null | undefined> {
  const index = OPENING_IDS.indexOf(id);
  if (index < 0) return { previous: undefined, next: undefined };
  const find = (at: number) => findOpening(OPENING_IDS[at] ?? "");
  return { previous: find(index - 1), next: find(index + 1) ?? undefined };
}

/**
 * Returns the id of the story beside that one; `null` at either end, `undefined` for a story that has no neighbours.
 *
 * @throws when the database does not answer in time, which is logged
 */
export async function findBeside(
  { context }: RequestArgs,
  id: string,
  side: Side,
): Promise<string | null | undefined> {
  const published = getPublishedStories(context);
  const reader = getEnv(context).READER;
  if (reader === "placeholder") return undefined;
  const known = getNeighbours(id)[side];
  if (known !== undefined) return known && known.id;
  if (OPENINGS.has(id)) return withTimeout(published.findNewest(), TIMEOUT_MS);
  if (!PUBLISHED_ID.test(id)) return undefined;
  const asked = published.findBeside(id, side === "next" ? "older" : "newer");
  const beside = await withTimeout(asked, TIMEOUT_MS);
  return beside ?? (side === "previous" ? (OPENING_IDS.at(-1) ?? null) : null);
}

function toStory({ cover, text: markdown, ...story }: PublishedStory & { text: string }): Story {
  const { id, title, author, description, tags } = story;
  return { id, title, author, description, tags, cover: cover ?? "", markdown, isOpening: false };
}

/** The sample books have nothing but their first page. */
function findOpening(id: string): Story | null {
  const markdown = OPENINGS.get(id);
  const item = sampleItems.find(({ readLink }) => readLink === readPath(id));
  if (markdown === undefined || !item) return null;
  const { title, description, imgPath: cover } = item;
  const author = "Inkglade Editors";
  return { id, title, author, description, tags: [], cover, markdown, isOpening: true };
}
