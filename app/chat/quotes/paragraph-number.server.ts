import type { ActionFunctionArgs, AppLoadContext } from "@remix-run/cloudflare";

import type { Passage, Subject } from "#app/chat/quotes/quote.ts";
import { catchUnavailable, UnavailableError } from "#app/http/unavailable-error.server.ts";
import type { DocumentSnapshot, Fields } from "#app/firebase/firestore-types.ts";
import type { AuthUser } from "#app/session/user.ts";
import { getPositionsPath } from "#app/stories/positions/position.ts";
import { getDevicePositions, readPositionFields } from "#app/stories/positions/positions.server.ts";
import { getRenderedText } from "#app/stories/rendered-text.server.ts";
import { findStory } from "#app/stories/stories.server.ts";
import { getLastReached } from "./quoted-story.ts";
import { readTopic } from "./topic.ts";
import { getTopicPath, getTopics } from "./topics.server.ts";

/** Finds the number of the paragraph that a message is about, counted from 0. */
interface NumberFinder {
  /** The document that `getNumber` needs. */
  path?: string;
  /**
   * @param find finds a document that was read
   * @param replyTo the id of the message that this one replies to
   */
  getNumber: (
    find: (path: string) => DocumentSnapshot | null,
    replyTo: string | null,
  ) => Promise<number | undefined> | number;
}

/**
 * Creates the finder for a message. The number for a message about a passage is that of its paragraph; if the text no longer
 * has it, that of an earlier message about it. For a message about a story, it is that of the last paragraph that the
 * sender has reached, or that the answered message is about, whichever is later.
 */
export function createNumberFinder(
  { request, context }: Pick<ActionFunctionArgs, "request" | "context">,
  user: AuthUser,
  { story, paragraph }: Subject,
): NumberFinder {
  if (paragraph !== null) {
    const passage = { story, paragraph };
    const findNumber = loadParagraphFinder({ context }, passage);
    return {
      async getNumber(find, replyTo) {
        const answered = readAnswered(find, replyTo);
        const isSame = answered?.story === story && answered.paragraph === paragraph;
        return (
          (await findNumber()) ??
          (isSame ? readTopic(answered).number : null) ??
          getTopics(context).findNumber(passage)
        );
      },
    };
  }
  const path = `${getPositionsPath(user.uid)}/${story}`;
  return {
    path,
    getNumber(find, replyTo) {
      const account = readPositionFields(story, find(path)?.fields ?? {});
      const device = getDevicePositions(request, user).find((other) => other.story === story);
      const answered = readAnswered(find, replyTo);
      const isSameStory = answered?.story === story;
      return Math.max(
        0,
        getLastReached([account, device]),
        (isSameStory && readTopic(answered).number) || 0,
      );
    },
  };
}

/** Returns the stored topic of the answered message. */
function readAnswered(
  find: (path: string) => DocumentSnapshot | null,
  replyTo: string | null,
): Fields | undefined {
  return replyTo === null ? undefined : find(getTopicPath(replyTo))?.fields;
}

/**
 * Loads a story, and returns a function that finds the number of a paragraph in it, counted from 0; `undefined` if there
 * is no such paragraph, or the story cannot be read now. Only the returned function renders the story.
 */
function loadParagraphFinder(
  args: { context: AppLoadContext },
  { story: id, paragraph }: Passage,
): () => Promise<number | undefined> {
  const loading = catchUnavailable(findStory(args, id));
  // Prevents an unhandled rejection. The returned function throws the error.
  loading.catch(() => {});
  return async () => {
    const story = await loading;
    if (!story || story instanceof UnavailableError) return undefined;
    const { paragraphs } = await getRenderedText(story.markdown, story.language);
    const number = paragraphs.findIndex((candidate) => candidate.id === paragraph);
    return number < 0 ? undefined : number;
  };
}
