import type { AppLoadContext } from "@remix-run/cloudflare";

import { getEnv } from "#app/env.server.ts";
import type { Fields } from "#app/firebase/firestore-types.ts";
import { builtInStories, findBuiltIn, getBuiltInTexts } from "./built-in.server.ts";
import type { FindHiding } from "./library/hiding.server.ts";
import { getPublishedStories } from "./published.server.ts";
import type { Story } from "./story.ts";

interface RequestArgs {
  context: AppLoadContext;
}

export interface StoryWithOthers {
  story: Story | null;
  /** Whether its writer has unpublished the story. */
  isWithdrawn?: boolean;
  others: (Fields | null)[];
}

export type Direction = "previous" | "next";

/** `stored`: finding the story takes a request to the database. */
export type LocalAdjacent =
  | { status: "found"; story: Pick<Story, "id" | "title"> }
  | { status: "end" }
  | { status: "stored" };

/** `none`: there is no story with the given id. */
export type Adjacent = { status: "found"; id: string } | { status: "end" } | { status: "none" };

/** The format of `createStoryId`. `firestore.rules` accepts no other ids, so we save the request. */
const PUBLISHED_ID = /^(?=.{1,80}$)[a-z\d]+(-[a-z\d]+)*-\d{10}$/;

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
): Promise<StoryWithOthers> {
  if (getEnv(context).READER === "placeholder") return { story: null, others: [] };
  if (!isPublishedId(id)) return { story: await readBuiltIn(context, id), others: [] };
  return getPublishedStories(context).find(id, otherDocuments);
}

/** A story without its text. */
export type StoryHead = Omit<Story, "markdown">;

/**
 * Like `findStory`, without the text. A published story takes one request.
 *
 * @throws {UnavailableError}
 */
export async function findStoryHead(
  { context }: RequestArgs,
  id: string,
): Promise<StoryHead | null> {
  if (getEnv(context).READER === "placeholder") return null;
  const head = isPublishedId(id)
    ? await getPublishedStories(context).findHead(id)
    : findBuiltIn(id);
  return head ?? null;
}

/**
 * Returns when a story was last changed, in milliseconds since the Unix epoch; `null` for a built-in or unknown story.
 *
 * @throws {UnavailableError}
 */
export async function findUpdateTime({ context }: RequestArgs, id: string): Promise<number | null> {
  if (getEnv(context).READER === "placeholder" || !isPublishedId(id)) return null;
  return getPublishedStories(context).findUpdateTime(id);
}

export function isPublishedId(id: string): boolean {
  return PUBLISHED_ID.test(id);
}

/**
 * Returns the story before or after another that is not hidden, if that takes no request. The built-in stories come first,
 * then the published ones, newest first.
 */
export function getLocalAdjacent(
  id: string,
  direction: Direction,
  findHiding: FindHiding,
): LocalAdjacent {
  const index = builtInStories.findIndex((story) => story.id === id);
  if (index < 0) return { status: "stored" };
  const isNext = direction === "next";
  const others = isNext
    ? builtInStories.slice(index + 1)
    : builtInStories.slice(0, index).toReversed();
  const story = others.find((other) => !findHiding(other));
  if (story) return { status: "found", story };
  return { status: isNext ? "stored" : "end" };
}

/**
 * Returns the id of the story before or after another that is not hidden.
 *
 * @throws {UnavailableError}
 */
export async function getAdjacent(
  { context }: RequestArgs,
  id: string,
  direction: Direction,
  findHiding: FindHiding,
): Promise<Adjacent> {
  if (getEnv(context).READER === "placeholder") return { status: "none" };
  const local = getLocalAdjacent(id, direction, findHiding);
  if (local.status === "end") return local;
  if (local.status === "found") return { status: "found", id: local.story.id };
  const published = getPublishedStories(context);
  if (findBuiltIn(id)) return toAdjacent(await published.findNewest(findHiding));
  if (!isPublishedId(id)) return { status: "none" };
  const isNext = direction === "next";
  const adjacent = await published.findAdjacent(id, isNext ? "older" : "newer", findHiding);
  const lastBuiltIn = builtInStories.findLast((story) => !findHiding(story))?.id;
  return toAdjacent(adjacent ?? (isNext ? undefined : lastBuiltIn));
}

function toAdjacent(id: string | undefined): Adjacent {
  return id === undefined ? { status: "end" } : { status: "found", id };
}

async function readBuiltIn(context: AppLoadContext, id: string): Promise<Story | null> {
  const story = findBuiltIn(id);
  return story ? { ...story, markdown: await getBuiltInTexts(context).get(id) } : null;
}
