import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import * as z from "zod";

import type { Message } from "#app/chat/message.ts";
import { isStory, mayHaveTopic } from "#app/chat/quotes/quote.ts";
import { getEnv } from "#app/env.server.ts";
import type { Fields } from "#app/firebase/firestore-types.ts";
import { asUser } from "#app/firebase/firestore.server.ts";
import { requireRead } from "#app/firebase/firestore-error.server.ts";
import { respondWithJson } from "#app/http/headers.ts";
import { catchUnavailable, UnavailableError } from "#app/http/unavailable-error.server.ts";
import { getUser } from "#app/session/user.server.ts";
import type { AuthUser } from "#app/session/user.ts";
import { getPositionsPath, hasReadAll, WHOLE_STORY } from "#app/stories/positions/position.ts";
import { getDevicePositions, readPositionFields } from "#app/stories/positions/positions.server.ts";
import { findBuiltIn } from "#app/stories/built-in.server.ts";
import { isPublishedId } from "#app/stories/stories.server.ts";
import type { Story } from "#app/stories/story.ts";
import {
  getLastReached,
  listStories,
  type QuotedStories,
  type QuotedStory,
} from "./quoted-story.ts";
import { readTopic, type Topics } from "./topic.ts";
import { STORY_PARAM } from "#app/chat/room-address.ts";
import { getTopicPath } from "./topics.server.ts";

/** Short, because a page without the quoted stories is better than a slow one. */
const TIMEOUT_MS = 1000;

/** How many stories a page reads: those of the newest messages. */
const MAX_STORIES = 50;

type RequestArgs = Pick<LoaderFunctionArgs, "request" | "context">;

const storySchema = z.object({
  title: z.string(),
  cover: z.string().nullable(),
  uid: z.string(),
  updatedAt: z.date(),
});

/** Responds to scripts with stories that live messages are about. */
export async function loadQuotedStories({
  request,
  context,
}: LoaderFunctionArgs): Promise<Response> {
  const ids = new URL(request.url).searchParams.getAll(STORY_PARAM);
  const { stories } = await findQuotedStories({ request, context }, ids.filter(isStory), []);
  return respondWithJson(stories);
}

/**
 * Returns messages with what they are about, and the stories, with how far the user has read each. Makes one request, or
 * none for messages without a topic. Stories that do not exist or cannot be read are missing.
 *
 * @param known the id of a story that the caller knows
 */
export async function addTopics(
  args: RequestArgs,
  messages: readonly Message[],
  known?: string,
): Promise<{ messages: Message[]; stories: QuotedStories }> {
  const stories = messages.flatMap(({ text }) => listStories(text)).filter((id) => id !== known);
  const unknown = messages.filter(({ text, topic }) => !topic && mayHaveTopic(text));
  const found = await findQuotedStories(args, stories, unknown);
  return {
    stories: found.stories,
    messages: messages.map((message) => ({
      ...message,
      topic: message.topic ?? found.topics.get(message.id),
    })),
  };
}

async function findQuotedStories(
  { request, context }: RequestArgs,
  storyIds: readonly string[],
  messages: readonly Message[],
): Promise<{ stories: QuotedStories; topics: Topics }> {
  const ids = [...new Set(storyIds.toReversed())].slice(0, MAX_STORIES);
  if (ids.length + messages.length === 0) return { stories: {}, topics: new Map() };
  const { user } = await getUser({ request, context });
  const reader = user?.idToken ? user : null;
  const documents = await readDocuments(context, reader, ids, messages);
  const device = getDevicePositions(request, user);

  function toQuotedStory(id: string): [string, QuotedStory][] {
    const details = findDetails(id, documents.get(`stories/${id}`));
    if (!details) return [];
    const fields = reader && documents.get(`${getPositionsPath(reader.uid)}/${id}`);
    const positions = [
      device.find(({ story }) => story === id),
      fields ? readPositionFields(id, fields) : undefined,
    ];
    const { title, cover, uid, updatedAt } = details;
    const isAuthor = user !== null && user.uid === uid;
    const isAllRead = isAuthor || hasReadAll(positions, updatedAt);
    const lastReached = isAllRead ? WHOLE_STORY : getLastReached(positions);
    return [[id, { title, cover, lastReached }]];
  }

  return {
    stories: Object.fromEntries(ids.flatMap(toQuotedStory)),
    topics: new Map(
      messages.flatMap(({ id }) => {
        const fields = documents.get(getTopicPath(id));
        return fields ? [[id, readTopic(fields)]] : [];
      }),
    ),
  };
}

/** Reads the stories, the user's positions in them, and the topics of messages. */
async function readDocuments(
  context: LoaderFunctionArgs["context"],
  user: AuthUser | null,
  ids: readonly string[],
  messages: readonly Message[],
): Promise<Map<string, Fields>> {
  const paths = [
    ...ids.flatMap((id) => [
      ...(isPublishedId(id) ? [`stories/${id}`] : []),
      ...(user ? [`${getPositionsPath(user.uid)}/${id}`] : []),
    ]),
    ...messages.map(({ id }) => getTopicPath(id)),
  ];
  if (paths.length === 0) return new Map();
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
): Pick<Story, "title" | "cover" | "uid" | "updatedAt"> | undefined {
  if (!isPublishedId(id)) return findBuiltIn(id);
  const { data } = storySchema.safeParse(fields);
  return data && { ...data, cover: data.cover ?? "", updatedAt: data.updatedAt.getTime() };
}
