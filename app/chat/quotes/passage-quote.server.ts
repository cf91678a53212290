import type { AppLoadContext } from "@remix-run/cloudflare";

import { formatQuote, type Passage } from "#app/chat/quotes/quote.ts";
import { catchUnavailable } from "#app/http/catch-unavailable.server.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { toStoryPath } from "#app/stories/book.ts";
import { getRenderedText } from "#app/stories/rendered-text.server.ts";
import { findStory } from "#app/stories/stories.server.ts";

/** Returns the quote that messages about a passage begin with: the first words of its paragraph. */
export async function loadPassageQuote(
  args: { context: AppLoadContext },
  { story, paragraph }: Passage,
): Promise<string> {
  const words = await findFirstWords(args, { story, paragraph });
  return formatQuote({ words, path: `${toStoryPath(story)}#${paragraph}` });
}

/** Not the words of an earlier message, which anyone may have made up. */
async function findFirstWords(
  args: { context: AppLoadContext },
  passage: Passage,
): Promise<string> {
  const story = await catchUnavailable(findStory(args, passage.story));
  if (!story || story instanceof UnavailableError) return "…";
  const { paragraphs } = await getRenderedText(story.markdown);
  const paragraph = paragraphs.find(({ id }) => id === passage.paragraph);
  if (!paragraph) return "…";
  const { start, length } = paragraph;
  // Ends at a whole word, if the language has spaces.
  return length > start.length ? `${start.replace(/\s\S*$/, "")}…` : start;
}
