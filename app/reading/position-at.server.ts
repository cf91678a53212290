import {
  MAX_POSITION_TITLE_LENGTH,
  getMinutesLeft,
  getPercent,
  type ReadingPosition,
} from "#app/stories/positions/position.ts";
import { getRenderedText } from "#app/stories/rendered-text.server.ts";
import type { Story } from "#app/stories/story.ts";

/** Returns the position at the end of a paragraph; `undefined` if the story has no such paragraph. */
export async function findPositionAt(
  { id, title, markdown }: Story,
  paragraphId: string,
): Promise<ReadingPosition | undefined> {
  const { paragraphs, length, words } = await getRenderedText(markdown);
  const number = paragraphs.findIndex((paragraph) => paragraph.id === paragraphId);
  const paragraph = paragraphs[number];
  if (!paragraph) return undefined;
  const percent = getPercent(paragraph.before + paragraph.length, length);
  return {
    story: id,
    title: title.slice(0, MAX_POSITION_TITLE_LENGTH),
    paragraph: paragraph.id,
    start: paragraph.start,
    offset: 0,
    number,
    percent,
    minutesLeft: getMinutesLeft(percent, words),
    time: Date.now(),
  };
}
