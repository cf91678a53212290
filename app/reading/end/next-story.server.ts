import type { AppLoadContext } from "@remix-run/cloudflare";

import { builtInStories, findBuiltIn, type BuiltInStory } from "#app/stories/built-in.server.ts";
import { getPublishedStories, type PublishedStory } from "#app/stories/published.server.ts";
import { getReadingMinutes } from "#app/stories/reading-time.ts";
import { getLocalAdjacent } from "#app/stories/stories.server.ts";
import type { Story } from "#app/stories/story.ts";

/** A story that the end of another one leads to. */
export interface NextStory {
  id: string;
  title: string;
  author: string;
  /** May be empty. */
  description: string;
  /** The URL of an image; empty for a drawn cover. */
  cover: string;
  tags: string[];
  minutes: number;
  /** Whether it is by the same writer. */
  isSameWriter: boolean;
}

type StoryRef = Pick<Story, "id" | "uid">;

/**
 * Returns the story to read after another, without a request: from the built-in stories and the list of published ones that
 * this isolate has. Prefers the same writer. `null` if there is no other story.
 */
export function findNextStory(context: AppLoadContext, story: StoryRef): NextStory | null {
  const listed = getPublishedStories(context).getCachedList();
  const index = listed.findIndex(({ id }) => id === story.id);
  // The list begins with the newest.
  const older = index < 0 ? listed : [...listed.slice(index + 1), ...listed.slice(0, index)];
  const byWriter = older.find(({ uid }) => uid === story.uid);
  if (byWriter) return toNextFromPublished(byWriter, story);
  const adjacent = getLocalAdjacent(story.id, "next");
  const builtIn = adjacent.status === "found" ? findBuiltIn(adjacent.story.id) : undefined;
  if (builtIn) return toNextFromBuiltIn(builtIn, story);
  const [published] = older;
  if (published) return toNextFromPublished(published, story);
  const first = builtInStories.find(({ id }) => id !== story.id);
  return first ? toNextFromBuiltIn(first, story) : null;
}

/** Returns the other stories of a story's writer that this isolate has read recently. */
export function listByWriter(context: AppLoadContext, story: StoryRef): NextStory[] {
  const isOther = ({ id, uid }: StoryRef) => id !== story.id && uid === story.uid;
  const published = getPublishedStories(context).getCachedList();
  const builtIn = builtInStories.filter(isOther);
  return [
    ...builtIn.map((other) => toNextFromBuiltIn(other, story)),
    ...published.filter(isOther).map((other) => toNextFromPublished(other, story)),
  ];
}

function toNextFromPublished(other: PublishedStory, { uid }: StoryRef): NextStory {
  const { id, title, author, description, tags, words } = other;
  const isSameWriter = other.uid === uid;
  return {
    ...{ id, title, author, description, tags, isSameWriter },
    cover: other.cover ?? "",
    minutes: getReadingMinutes(words),
  };
}

function toNextFromBuiltIn(other: BuiltInStory, { uid }: StoryRef): NextStory {
  const { id, title, author, description, tags, cover, words } = other;
  const isSameWriter = other.uid === uid;
  const minutes = getReadingMinutes(words);
  return { id, title, author, description, tags, cover, minutes, isSameWriter };
}
