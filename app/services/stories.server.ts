import type { AppLoadContext } from "@remix-run/cloudflare";

import { readPath } from "#app/schemas/book.ts";
import type { Place } from "#app/schemas/place.ts";
import type { Story } from "#app/schemas/story.ts";
import aCartographerOfRain from "./openings/a-cartographer-of-rain.md?raw";
import nineDoorsDownTheHill from "./openings/nine-doors-down-the-hill.md?raw";
import saltForTheClockmaker from "./openings/salt-for-the-clockmaker.md?raw";
import theLamplightersOrchard from "./openings/the-lamplighters-orchard.md?raw";
import theUnderstudyMoon from "./openings/the-understudy-moon.md?raw";
import { NOBODY, type Reader } from "./places.server.ts";
import type { PublishedStory } from "./published.server.ts";
import { sampleItems } from "./sample-items.server.ts";
import { getServices } from "./services.server.ts";
import { withTimeout } from "./timeout.server.ts";

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

/** Published stories have ten digits at the end of their ids; nothing else is worth asking the database for. */
const PUBLISHED_ID = /^[a-z\d]+(-[a-z\d]+)*-\d{10}$/;

/** A page waits no longer for a story. */
const TIMEOUT_MS = 2000;

/** What is published under an id: nothing, a story, or something that the database does not hand out right now. */
export type FoundStory = Story | "unreachable" | null;

/** Returns the story that is published under that id. There is none where a deployment shows none. */
export async function findStory({ context }: RequestArgs, id: string): Promise<FoundStory> {
  return (await findReading({ context }, id, NOBODY)).story;
}

/** Returns the same, with the place that a reader's account has in it. */
export async function findReading(
  { context }: RequestArgs,
  id: string,
  visitor: Reader,
): Promise<{ story: FoundStory; place: Place | undefined }> {
  const { places, published, reader } = getServices(context);
  if (reader === "placeholder") return { story: null, place: undefined };
  if (!PUBLISHED_ID.test(id)) {
    const story = findOpening(id);
    return { story, place: story ? await places.find(visitor, id) : undefined };
  }
  try {
    const { story, place } = await withTimeout(published.find(id, visitor), TIMEOUT_MS);
    return { story: story && toStory(story), place };
  } catch {
    // Whoever asked has logged it.
    return { story: "unreachable", place: undefined };
  }
}

/** Returns the openings before and after that one. */
export function findNeighbours(id: string): { previous: Story | null; next: Story | null } {
  const ids = [...OPENINGS.keys()];
  const index = ids.indexOf(id);
  const find = (at: number) => findOpening(ids[at] ?? "");
  return index < 0
    ? { previous: null, next: null }
    : { previous: find(index - 1), next: find(index + 1) };
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
