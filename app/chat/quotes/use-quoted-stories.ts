import {
  createContext,
  useContext,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from "react";

import type { Message } from "#app/chat/message.ts";
import { readCookie } from "#app/http/cookie.ts";
import { fetchJson } from "#app/http/fetch-json.ts";
import {
  subscribeToSaves,
  listVisible,
  POSITIONS_COOKIE,
  readPositions,
} from "#app/stories/positions/position-cookie.ts";
import {
  findQuotedStory,
  getLastReached,
  isAboutLaterPart,
  isUnread,
  listStories,
  STORIES_PATH,
  type QuotedStories,
  type QuotedStory,
} from "./quoted-story.ts";
import type { RoomSubject } from "./topic.ts";
import { STORY_PARAM } from "#app/chat/room-address.ts";

const MAX_STORIES = 50;

export interface QuotedStoriesValue {
  stories: QuotedStories;
  /** What all messages are about, so that each of them need not say it. */
  subject: RoomSubject | null;
  /** Whether a message is about a later part of a story than the user has read. */
  isAboutLaterPart: (message: Pick<Message, "text" | "topic">) => boolean;
}

/** By default nothing is known, and every paragraph counts as unread. */
export const QuotedStoriesContext = createContext<QuotedStoriesValue>({
  stories: {},
  subject: null,
  isAboutLaterPart: (message) => isAboutLaterPart(message, () => true),
});

export function useQuotedStoriesValue(): QuotedStoriesValue {
  return useContext(QuotedStoriesContext);
}

/**
 * Returns the stories that messages quote. Fetches those that the loader has not returned, all in one request. A reading
 * position that this browser saves later counts at once. What was fetched for a user is not used for the next one, because
 * it says how far they have read.
 */
export function useQuotedStories(
  loaded: QuotedStories,
  messages: readonly Message[],
  { uid, subject = null }: { uid: string | undefined; subject?: RoomSubject | null },
): QuotedStoriesValue {
  const [fetched, setFetched] = useState(() => createFetched(uid));
  const { requested } = fetched;
  const stories = useMemo(() => merge(fetched.stories, loaded), [fetched.stories, loaded]);
  const cookie = useSyncExternalStore(subscribeToSaves, getCookie, () => undefined);

  if (fetched.uid !== uid) setFetched(createFetched(uid));

  useEffect(() => {
    const missing = messages
      .flatMap(({ text }) => listStories(text))
      .filter((id) => findQuotedStory(stories, id) === undefined && !requested.has(id));
    const ids = [...new Set(missing)].slice(0, MAX_STORIES);
    if (ids.length === 0) return;
    for (const id of ids) requested.add(id);
    void fetchStories(ids).then((newStories) => {
      // Without a response, the next message tries again.
      if (!newStories) for (const id of ids) requested.delete(id);
      else
        setFetched((before) =>
          before.requested === requested ? addStories(before, newStories) : before,
        );
    });
  }, [messages, stories, requested]);

  return useMemo(() => {
    const device = listVisible(readPositions(cookie), uid);
    return {
      stories,
      subject,
      isAboutLaterPart: (message) =>
        isAboutLaterPart(message, (id, number) => {
          const lastReached = getLastReached([device.find(({ story }) => story === id)]);
          return isUnread(findQuotedStory(stories, id), number, lastReached);
        }),
    };
  }, [stories, cookie, uid, subject]);
}

/** The stories that were fetched for a user, and the ids that were requested. */
interface Fetched {
  uid: string | undefined;
  stories: QuotedStories;
  requested: Set<string>;
}

function createFetched(uid: string | undefined): Fetched {
  return { uid, stories: {}, requested: new Set() };
}

function addStories(fetched: Fetched, stories: QuotedStories): Fetched {
  return { ...fetched, stories: merge(fetched.stories, stories) };
}

function getCookie(): string | undefined {
  return readCookie(POSITIONS_COOKIE.name);
}

/** Merges two records. A story in both is taken from `after`, with the further `lastReached`. */
function merge(before: QuotedStories, after: QuotedStories): QuotedStories {
  const stories: Record<string, QuotedStory> = { ...before };
  for (const [id, story] of Object.entries(after)) {
    const known = findQuotedStory(before, id);
    const lastReached = Math.max(known?.lastReached ?? -1, story.lastReached);
    stories[id] = { ...story, lastReached };
  }
  return stories;
}

/** Fetches stories by their ids. Returns `null` if the room can't be reached. */
function fetchStories(ids: string[]): Promise<QuotedStories | null> {
  const query = new URLSearchParams(ids.map((id) => [STORY_PARAM, id]));
  return fetchJson(`${STORIES_PATH}?${query}`, readStories);
}

function readStories(stories: object): QuotedStories | null {
  return Object.values(stories).every(isStory) ? (stories as QuotedStories) : null; // every story was checked
}

function isStory(value: unknown): value is QuotedStory {
  if (typeof value !== "object" || value === null) return false;
  const { title, cover, lastReached } = value as Partial<Record<keyof QuotedStory, unknown>>;
  return typeof title === "string" && typeof cover === "string" && typeof lastReached === "number";
}
