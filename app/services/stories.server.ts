import type { AppLoadContext } from "@remix-run/cloudflare";

import { readPath } from "#app/schemas/book.ts";
import type { Story } from "#app/schemas/story.ts";
import aCartographerOfRain from "./openings/a-cartographer-of-rain.md?raw";
import nineDoorsDownTheHill from "./openings/nine-doors-down-the-hill.md?raw";
import saltForTheClockmaker from "./openings/salt-for-the-clockmaker.md?raw";
import theLamplightersOrchard from "./openings/the-lamplighters-orchard.md?raw";
import theUnderstudyMoon from "./openings/the-understudy-moon.md?raw";
import { sampleItems } from "./sample-items.server.ts";
import { getServices } from "./services.server.ts";
import { withTimeout } from "./timeout.server.ts";

interface RequestArgs {
  request: Request;
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
const TIMEOUT_MS = 5000;

/**
 * Returns the story that is published under that id; `null` when none is, where a deployment shows none, and while the
 * database does not answer.
 */
export async function findStory({ context }: RequestArgs, id: string): Promise<Story | null> {
  const { published, reader } = getServices(context);
  if (reader === "placeholder") return null;
  if (!PUBLISHED_ID.test(id)) return findOpening(id);
  try {
    const story = await withTimeout(published.find(id), TIMEOUT_MS);
    if (!story) return null;
    const { title, author, description, tags, cover, text: markdown } = story;
    return { id, title, author, description, tags, cover: cover ?? "", markdown, isOpening: false };
  } catch {
    // The library has logged it.
    return null;
  }
}

/** Returns the ids of what can be read, in the order in which one story follows another. */
export function listReadable(): string[] {
  return [...OPENINGS.keys()];
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
