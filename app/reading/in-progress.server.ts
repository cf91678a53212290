import type { LoaderFunctionArgs } from "@remix-run/cloudflare";

import { getEnv } from "#app/env.server.ts";
import { getVisit } from "#app/session/user.server.ts";
import type { Book } from "#app/stories/book.ts";
import { listBegun } from "./position-matching.server.ts";
import type { BegunStory, Place } from "./position.ts";
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
  const { claimed, requests, visitor } = await getVisit({ request, context });
  // A page makes three requests. Besides both about the session one is left, for the room.
  const [found, { account }] = await Promise.all([places.list(claimed, requests > 1), visitor]);
  const there = account ? found : [];
  return {
    begun: listBegun(getPlacesHere(request), there ?? []).slice(0, MAX_SHOWN),
    isAccountUnreachable: there === null,
  };
}

/** Adds the covers of those that are in the list of books. */
export function toBegunStories(places: readonly Place[], books: readonly Book[]): BegunStory[] {
  return places.map(({ story, title, percent, minutesLeft }) => ({
    story,
    title,
    percent,
    minutesLeft,
    cover: books.find(({ id }) => id === story)?.coverPhoto ?? "",
  }));
}
