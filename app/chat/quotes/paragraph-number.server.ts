import type { AppLoadContext } from "@remix-run/cloudflare";

import type { Passage } from "#app/chat/quotes/quote.ts";
import { catchUnavailable } from "#app/http/catch-unavailable.server.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { getRenderedText } from "#app/stories/rendered-text.server.ts";
import { findStory } from "#app/stories/stories.server.ts";

/**
 * Loads a story, and returns a function that finds the number of a paragraph in it, counted from 0; `undefined` if there
 * is no such paragraph, or the story cannot be read now. Only the returned function renders the story.
 */
export function loadParagraphFinder(
  args: { context: AppLoadContext },
  { story: id, paragraph }: Passage,
): () => Promise<number | undefined> {
  const loading = catchUnavailable(findStory(args, id));
  // Prevents an unhandled rejection. The returned function throws the error.
  loading.catch(() => {});
  return async () => {
    const story = await loading;
    if (!story || story instanceof UnavailableError) return undefined;
    const { paragraphs } = await getRenderedText(story.markdown);
    const number = paragraphs.findIndex((candidate) => candidate.id === paragraph);
    return number < 0 ? undefined : number;
  };
}
