import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import * as z from "zod";

import type { Message } from "#app/chat/message.ts";
import { isPassage, listPassages, type Passage } from "#app/chat/quotes/quote.ts";
import { getEnv } from "#app/env.server.ts";
import type { Fields } from "#app/firebase/firestore-types.ts";
import { asUser } from "#app/firebase/firestore.server.ts";
import { requireRead } from "#app/firebase/require-read.server.ts";
import { catchUnavailable } from "#app/http/catch-unavailable.server.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { getUser } from "#app/session/user.server.ts";
import type { AuthUser } from "#app/session/user.ts";
import { getPositionsPath } from "#app/stories/positions/position.ts";
import { getDevicePositions, readPositionFields } from "#app/stories/positions/positions.server.ts";
import { findBuiltIn } from "#app/stories/built-in.server.ts";
import { isPublishedId } from "#app/stories/stories.server.ts";
import { getQuoteRecordPath, readQuotedPassages } from "./quote-record.server.ts";
import {
  WHOLE_STORY,
  getLastReached,
  QUOTED_PARAM,
  type QuotedStories,
  type QuotedStory,
} from "./quoted-story.ts";

/** Short, because a page without the quoted stories is better than a slow one. */
const TIMEOUT_MS = 1000;

const MAX_PASSAGES = 50;

type RequestArgs = Pick<LoaderFunctionArgs, "request" | "context">;

const storySchema = z.object({ title: z.string(), cover: z.string().nullable(), uid: z.string() });

/** Responds to scripts with the stories that live messages quote. */
export async function loadQuotedStories({
  request,
  context,
}: LoaderFunctionArgs): Promise<Response> {
  const passages = new URL(request.url).searchParams
    .getAll(QUOTED_PARAM)
    .slice(0, MAX_PASSAGES)
    .map((text) => {
      const [story = "", paragraph = ""] = text.split("#");
      return { story, paragraph };
    })
    .filter(isPassage);
  const stories = await findQuotedStories({ request, context }, passages);
  return Response.json(stories, { headers: { "Cache-Control": "no-store" } });
}

/** Returns the passages that messages quote. */
export function listQuotedPassages(messages: readonly Message[]): Passage[] {
  return messages.flatMap(({ text }) => listPassages(text).filter(isPassage));
}

/**
 * Returns the stories of quotes, with how far the user has read. Makes one request, which reads up to three documents
 * for each story. Stories that do not exist or cannot be read are missing.
 */
export async function findQuotedStories(
  { request, context }: RequestArgs,
  passages: readonly Passage[],
): Promise<QuotedStories> {
  const ids = [...new Set(passages.map(({ story }) => story))];
  if (ids.length === 0) return {};
  const { user } = await getUser({ request, context });
  const reader = user?.idToken ? user : null;
  const documents = await readDocuments(context, reader, ids);
  const device = getDevicePositions(request, user);

  function toQuotedStory(id: string): [string, QuotedStory][] {
    const details = findDetails(id, documents.get(`stories/${id}`));
    if (!details) return [];
    const fields = reader && documents.get(`${getPositionsPath(reader.uid)}/${id}`);
    const positions = [
      device.find(({ story }) => story === id),
      fields ? readPositionFields(id, fields) : undefined,
    ];
    const record = readQuotedPassages(documents.get(getQuoteRecordPath(id)) ?? null);
    const numbers = passages
      .filter(({ story }) => story === id)
      .flatMap(({ paragraph }) => {
        const number = record[paragraph]?.number;
        return number === undefined ? [] : [[paragraph, number] as const];
      });
    const isAuthor = user !== null && user.uid === details.uid;
    const lastReached = isAuthor ? WHOLE_STORY : getLastReached(positions);
    const { title, cover } = details;
    return [[id, { title, cover, numbers: Object.fromEntries(numbers), lastReached }]];
  }

  return Object.fromEntries(ids.flatMap(toQuotedStory));
}

/** Reads the stories, their records of quotes and the user's positions. */
async function readDocuments(
  context: LoaderFunctionArgs["context"],
  user: AuthUser | null,
  ids: readonly string[],
): Promise<Map<string, Fields>> {
  const paths = ids.flatMap((id) => [
    getQuoteRecordPath(id),
    ...(isPublishedId(id) ? [`stories/${id}`] : []),
    ...(user ? [`${getPositionsPath(user.uid)}/${id}`] : []),
  ]);
  const batch = asUser(getEnv(context), user).batchGet(paths, { timeoutMs: TIMEOUT_MS });
  const result = await catchUnavailable(requireRead(batch));
  if (result instanceof UnavailableError) return new Map();
  return new Map(
    result.documents.flatMap((document) => (document ? [[document.path, document.fields]] : [])),
  );
}

/** Returns a story's title, cover and writer, also for built-in stories, which have no document. */
function findDetails(
  id: string,
  fields: Fields | undefined,
): { title: string; cover: string; uid: string } | undefined {
  if (!isPublishedId(id)) return findBuiltIn(id);
  const { data } = storySchema.safeParse(fields);
  return data && { ...data, cover: data.cover ?? "" };
}
