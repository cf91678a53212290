import { getFurthest } from "#app/stories/positions/position-cookie.ts";
import { WHOLE_STORY } from "#app/stories/positions/position.ts";
import type { Story } from "#app/stories/story.ts";
import { isPassage, listPassages, readSubject } from "./quote.ts";
import type { Topic } from "./topic.ts";

/** The path of the stories that live messages quote, as JSON. */
export const STORIES_PATH = "/rooms/general/stories";

/** Messages about this many paragraphs at the start of a story are shown to everyone. */
const PUBLIC_PARAGRAPHS = 3;

/** A text has space for three hundred. */
const MAX_STORIES = 3;

/** A story that messages quote, for the user who sees them. */
export interface QuotedStory extends Pick<Story, "title" | "cover"> {
  /** The number of the last paragraph that the user has reached; -1 for a story they have not opened. */
  lastReached: number;
}

/** The stories that messages quote, by id. */
export type QuotedStories = Readonly<Record<string, QuotedStory>>;

/** Returns a story by an id from a message, which may be the name of an inherited method, such as "toString". */
export function findQuotedStory(stories: QuotedStories, id: string): QuotedStory | undefined {
  return Object.hasOwn(stories, id) ? stories[id] : undefined;
}

/** Returns the number of the last paragraph that a user has reached, by the numbers in their positions; -1 for none. */
export function getLastReached(
  positions: readonly (Parameters<typeof getFurthest>[0] | undefined)[],
): number {
  return Math.max(-1, ...positions.map((position) => (position ? getFurthest(position) : -1)));
}

/**
 * Whether a paragraph is in a later part of its story than the user has read. One with an unknown number counts as unread,
 * until the user has finished the story.
 */
export function isUnread(
  story: Pick<QuotedStory, "lastReached"> | undefined,
  number: number | null,
  reachedOnDevice: number,
): boolean {
  const lastReached = Math.max(story?.lastReached ?? -1, reachedOnDevice, PUBLIC_PARAGRAPHS - 1);
  return lastReached < (number ?? WHOLE_STORY);
}

/**
 * Returns the ids of the stories that a message is about, or quotes anywhere in its text: up to three, each once. The others
 * are not read, and so their passages count as unread.
 */
export function listStories(text: string): string[] {
  const subject = readSubject(text);
  const quoted = listPassages(text).filter(isPassage);
  const ids = new Set([...(subject ? [subject.story] : []), ...quoted.map(({ story }) => story)]);
  return [...ids].slice(0, MAX_STORIES);
}

/** Whether a message is about a later part of a story than the user has read, or quotes one. */
export function isAboutLaterPart(
  { text, topic }: { text: string; topic?: Topic | undefined },
  isLater: (story: string, number: number | null) => boolean,
): boolean {
  const subject = readSubject(text);
  const number = topic?.number ?? null;
  return (
    (subject !== null && isLater(subject.story, number)) ||
    listPassages(text).some(
      ({ story, paragraph }) =>
        !(story === subject?.story && paragraph === subject.paragraph) && isLater(story, null),
    )
  );
}
