import type { LoaderFunctionArgs } from "@remix-run/cloudflare";

import { getEnv } from "#app/env.server.ts";
import { getPendingSession } from "#app/session/user.server.ts";
import type { Book } from "#app/stories/book.ts";
import type { InProgressStory } from "#app/stories/in-progress.ts";
import { listBegun } from "./position-matching.server.ts";
import type { Place } from "./position.ts";
import { getPlacesHere, getPositions } from "./positions.server.ts";

/** As many as stand in the strip. */
const MAX_SHOWN = 6;

interface Places {
  /** In the stories that are begun, newest first. */
  begun: Place[];
  /** The account's own places could not be read: there may be more. */
  isAccountUnreachable: boolean;
}

/** Returns where the reader is in the stories they have begun. */
export async function loadPlaces({ request, context }: LoaderFunctionArgs): Promise<Places> {
  const places = getPositions(context);
  const reader = getEnv(context).READER;
  if (reader === "placeholder") return { begun: [], isAccountUnreachable: false };
  const { unchecked, requests, checked } = await getPendingSession({ request, context });
  // A page makes three requests. Besides both about the session one is left, for the room.
  const [found, { user }] = await Promise.all([places.list(unchecked.user, requests > 1), checked]);
  const there = user ? found : [];
  return {
    begun: listBegun(getPlacesHere(request), there ?? []).slice(0, MAX_SHOWN),
    isAccountUnreachable: there === null,
  };
}

/** Adds the covers of those that are in the list of books. */
export function toBegunStories(
  places: readonly Place[],
  books: readonly Book[],
): InProgressStory[] {
  return places.map(({ story, title, percent, minutesLeft }) => ({
    story,
    title,
    percent,
    minutesLeft,
    cover: books.find(({ id }) => id === story)?.coverPhoto ?? "",
  }));
}
