import type { AppLoadContext } from "@remix-run/cloudflare";

import { builtInStories, findBuiltIn, type BuiltInStory } from "#app/stories/built-in.server.ts";
import type { FindHiding } from "#app/stories/library/hiding.server.ts";
import { getPublishedStories, type PublishedStory } from "#app/stories/published.server.ts";
import { getReadingMinutes, type Story } from "#app/stories/story.ts";
import { getLocalAdjacent } from "#app/stories/stories.server.ts";

/** A story that the end of another one leads to. */
export interface NextStory extends Pick<
  Story,
  "id" | "title" | "author" | "description" | "cover" | "tags" | "language"
> {
  minutes: number;
  /** Whether it is by the same writer. */
  isSameWriter: boolean;
}

type StoryRef = Pick<Story, "id" | "uid">;

/**
 * Returns the story to read after another, without a request: from the built-in stories and the list of published ones that
 * this isolate has. Prefers the same writer. `null` if there is no other story that is not hidden.
 */
export function findNextStory(
  context: AppLoadContext,
  story: StoryRef,
  findHiding: FindHiding,
): NextStory | null {
  const listed = getPublishedStories(context).getCachedList();
  const index = listed.findIndex(({ id }) => id === story.id);
  // The list begins with the newest.
  const others = index < 0 ? listed : [...listed.slice(index + 1), ...listed.slice(0, index)];
  const older = others.filter((other) => !findHiding(other));
  const adjacent = getLocalAdjacent(story.id, "next", findHiding);
  const next =
    older.find(({ uid }) => uid === story.uid) ??
    (adjacent.status === "found" ? findBuiltIn(adjacent.story.id) : undefined) ??
    older[0] ??
    builtInStories.find((other) => other.id !== story.id && !findHiding(other));
  return next ? toNext(next, story) : null;
}

/** Returns the other stories of a story's writer that are not hidden, and that this isolate has read recently. */
export function listByWriter(
  context: AppLoadContext,
  story: StoryRef,
  findHiding: FindHiding,
): NextStory[] {
  const all = [...builtInStories, ...getPublishedStories(context).getCachedList()];
  return all
    .filter(({ id, uid }) => id !== story.id && uid === story.uid)
    .filter((other) => !findHiding(other))
    .map((other) => toNext(other, story));
}

function toNext(other: PublishedStory | BuiltInStory, { uid }: StoryRef): NextStory {
  return {
    ...other,
    minutes: getReadingMinutes(other.words),
    isSameWriter: other.uid === uid,
  };
}
