import {
  createContext,
  useContext,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from "react";

import type { Message } from "#app/chat/message.ts";
import { isPassage, listPassages } from "#app/chat/quotes/quote.ts";
import { readCookie } from "#app/http/browser-cookie.ts";
import { fetchJson } from "#app/http/fetch-json.ts";
import { subscribeToSaves } from "#app/stories/positions/device-positions.ts";
import {
  listVisible,
  POSITIONS_COOKIE,
  readPositions,
} from "#app/stories/positions/position-cookie.ts";
import {
  findQuotedStory,
  getLastReached,
  isUnreadPassage,
  QUOTED_PARAM,
  STORIES_PATH,
  type QuotedStories,
  type QuotedStory,
} from "./quoted-story.ts";

const MAX_PASSAGES = 50;

export interface QuotedStoriesValue {
  stories: QuotedStories;
  /** Whether a message is about a later part of a story than the user has read. */
  isAboutLaterPart: (text: string) => boolean;
}

/** By default nothing is known, and every quote counts as unread. */
export const QuotedStoriesContext = createContext<QuotedStoriesValue>({
  stories: {},
  isAboutLaterPart: (text) => listPassages(text).length > 0,
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
  uid: string | undefined,
): QuotedStoriesValue {
  const [fetched, setFetched] = useState(() => createFetched(uid));
  const { requested } = fetched;
  const stories = useMemo(() => merge(fetched.stories, loaded), [fetched.stories, loaded]);
  const cookie = useSyncExternalStore(subscribeToSaves, getCookie, () => undefined);

  if (fetched.uid !== uid) setFetched(createFetched(uid));

  useEffect(() => {
    const missing = messages
      .flatMap(({ text }) => listPassages(text).filter(isPassage))
      .filter(
        ({ story, paragraph }) => findQuotedStory(stories, story)?.numbers[paragraph] === undefined,
      )
      .map(({ story, paragraph }) => `${story}#${paragraph}`)
      .filter((passage) => !requested.has(passage));
    const passages = [...new Set(missing)].slice(0, MAX_PASSAGES);
    if (passages.length === 0) return;
    for (const passage of passages) requested.add(passage);
    void fetchStories(passages).then((newStories) => {
      // Without a response, the next message tries again.
      if (!newStories) for (const passage of passages) requested.delete(passage);
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
      isAboutLaterPart: (text) =>
        listPassages(text).some(({ story, paragraph }) => {
          const lastReached = getLastReached([device.find((position) => position.story === story)]);
          return isUnreadPassage(findQuotedStory(stories, story), paragraph, lastReached);
        }),
    };
  }, [stories, cookie, uid]);
}

/** The stories that were fetched for a user, and the passages that were requested. */
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

/**
 * Merges two records. A story in both is taken from `after`, with the paragraph numbers of both and the further
 * `lastReached`.
 */
function merge(before: QuotedStories, after: QuotedStories): QuotedStories {
  const stories: Record<string, QuotedStory> = { ...before };
  for (const [id, story] of Object.entries(after)) {
    const known = findQuotedStory(before, id);
    const numbers = { ...known?.numbers, ...story.numbers };
    const lastReached = Math.max(known?.lastReached ?? -1, story.lastReached);
    stories[id] = { ...story, numbers, lastReached };
  }
  return stories;
}

/** Fetches the stories of passages. Returns `null` if the room can't be reached. */
function fetchStories(passages: string[]): Promise<QuotedStories | null> {
  const query = new URLSearchParams(passages.map((passage) => [QUOTED_PARAM, passage]));
  return fetchJson(`${STORIES_PATH}?${query}`, readStories);
}

function readStories(stories: object): QuotedStories | null {
  return Object.values(stories).every(isStory) ? (stories as QuotedStories) : null; // every story was checked
}

function isStory(value: unknown): value is QuotedStory {
  if (typeof value !== "object" || value === null) return false;
  const { title, cover, numbers, lastReached } = value as Partial<
    Record<keyof QuotedStory, unknown>
  >;
  return (
    typeof title === "string" &&
    typeof cover === "string" &&
    typeof lastReached === "number" &&
    typeof numbers === "object" &&
    numbers !== null
  );
}
