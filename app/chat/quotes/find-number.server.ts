import type { AppLoadContext } from "@remix-run/cloudflare";

import type { Passage } from "#app/chat/quotes/quote.ts";
import { catchUnavailable } from "#app/http/catch-unavailable.server.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { getRenderedText } from "#app/stories/rendered-text.server.ts";
import { findStory } from "#app/stories/stories.server.ts";

/**
 * Returns the number of a paragraph in its story, counted from 0; `undefined` if there is no such paragraph, or the story
 * cannot be read now.
 */
export async function findNumber(
  args: { context: AppLoadContext },
  { story: id, paragraph }: Passage,
): Promise<number | undefined> {
  const story = await catchUnavailable(findStory(args, id));
  if (!story || story instanceof UnavailableError) return undefined;
  const { paragraphs } = await getRenderedText(story.markdown);
  const number = paragraphs.findIndex((candidate) => candidate.id === paragraph);
  return number < 0 ? undefined : number;
}
