import { readQuotedPassages } from "#app/chat/quotes/quote-record.server.ts";
import type { Fields } from "#app/firebase/firestore-types.ts";
import type { RenderedText } from "#app/stories/markdown.server.ts";
import { isInProgress, type ReadingPosition } from "#app/stories/positions/position.ts";
import { toMarkHtml, type Mark } from "./marks.ts";
import { findMatch } from "./position-matching.server.ts";

/**
 * Returns the quoted passages that the text still has, in order.
 *
 * @param record the fields of the story's record of quotations
 */
export function findMarks({ paragraphs }: RenderedText, record: Fields | null): Mark[] {
  const passages = readQuotedPassages(record);
  return paragraphs.flatMap(({ id: paragraph }, number) => {
    const count = passages[paragraph]?.count ?? 0;
    return count > 0 ? { paragraph, number, count } : [];
  });
}

/** Returns the number of the last paragraph that a user has reached, by their positions in this text; -1 for none. */
export function getReach(
  { paragraphs }: RenderedText,
  positions: readonly (ReadingPosition | undefined)[],
): number {
  const numbers = positions.map((position) => {
    if (!position) return -1;
    if (!isInProgress(position)) return paragraphs.length - 1;
    return findMatch(paragraphs, position)?.number ?? -1;
  });
  return Math.max(-1, ...numbers);
}

/** Returns the HTML of a text with marks after their paragraphs. */
export function insertMarks({ html, ends }: RenderedText, story: string, marks: Mark[]): string {
  let start = 0;
  const pieces: string[] = [];
  for (const mark of marks) {
    const end = ends[mark.number] ?? start;
    pieces.push(html.slice(start, end), toMarkHtml(story, mark));
    start = end;
  }
  return pieces.join("") + html.slice(start);
}
