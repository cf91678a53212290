import { getLastReached } from "#app/chat/quotes/quoted-story.ts";
import type { StoryTopic } from "#app/chat/quotes/topics.server.ts";
import type { RenderedText } from "#app/stories/markdown.server.ts";
import type { ReadingPosition } from "#app/stories/positions/position.ts";
import { toMarkHtml, type Mark } from "./marks.ts";
import { findMatch } from "./positions/position-matching.server.ts";

/** Returns the passages that messages are about and that the text still has, in order. */
export function findMarks({ paragraphs }: RenderedText, topics: readonly StoryTopic[]): Mark[] {
  const counts = new Map<string | null, number>();
  for (const { paragraph } of topics) counts.set(paragraph, (counts.get(paragraph) ?? 0) + 1);
  return paragraphs.flatMap(({ id: paragraph }, number) => {
    const count = counts.get(paragraph) ?? 0;
    return count > 0 ? { paragraph, number, count } : [];
  });
}

/**
 * Returns the number of the last paragraph that a user has reached in the current version of a text; -1 for none. Their
 * positions may be from other versions.
 */
export function getLastReachedIn(
  { paragraphs }: RenderedText,
  positions: readonly (ReadingPosition | undefined)[],
): number {
  const lastReached = getLastReached(
    positions.map(
      (position) =>
        position && { ...position, number: findMatch(paragraphs, position)?.number ?? -1 },
    ),
  );
  return Math.min(lastReached, paragraphs.length - 1);
}

/**
 * Returns the HTML of a text with marks after their paragraphs.
 *
 * @param passage the id of the paragraph whose messages the room shows
 */
export function insertMarks(
  { html, ends }: RenderedText,
  story: string,
  marks: Mark[],
  passage: string | null,
): string {
  let start = 0;
  const pieces: string[] = [];
  for (const mark of marks) {
    const end = ends[mark.number] ?? start;
    pieces.push(html.slice(start, end), toMarkHtml(story, mark, mark.paragraph === passage));
    start = end;
  }
  return pieces.join("") + html.slice(start);
}
