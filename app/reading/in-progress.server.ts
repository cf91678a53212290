import type { LoaderFunctionArgs } from "@remix-run/cloudflare";

import { getEnv } from "#app/env.server.ts";
import { catchUnavailable } from "#app/http/catch-unavailable.server.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { getPendingSession } from "#app/session/user.server.ts";
import type { Book } from "#app/stories/book.ts";
import type { InProgressStory } from "#app/stories/in-progress.ts";
import type { ReadingPosition } from "#app/stories/positions/position.ts";
import { getDevicePositions, getPositions } from "#app/stories/positions/positions.server.ts";
import { listInProgress } from "./position-matching.server.ts";

const MAX_SHOWN = 6;

interface InProgress {
  /** One for each story that is started and not finished, newest first. */
  positions: ReadingPosition[];
  /** Whether the positions in the user's account could not be read, so that some may be missing. */
  isPartial: boolean;
}

/** Returns the user's positions in the stories they are reading. */
export async function loadInProgress({
  request,
  context,
}: LoaderFunctionArgs): Promise<InProgress> {
  const positions = getPositions(context);
  if (getEnv(context).READER === "placeholder") return { positions: [], isPartial: false };
  const { unchecked, requests, checked } = await getPendingSession({ request, context });
  // A page may make three subrequests: one is for the room, and checking the session takes up to two. Reuses a recent
  // list when that leaves none.
  const mayReuse = requests > 1;
  const [result, { user }] = await Promise.all([
    unchecked.user ? catchUnavailable(positions.list(unchecked.user, mayReuse)) : [],
    checked,
  ]);
  const account = user ? result : [];
  const isPartial = account instanceof UnavailableError;
  const found = listInProgress(getDevicePositions(request), isPartial ? [] : account);
  return { positions: found.slice(0, MAX_SHOWN), isPartial };
}

/** Adds covers from the list of books. Stories that are not in the list have none. */
export function toInProgressStories(
  positions: readonly ReadingPosition[],
  books: readonly Book[],
): InProgressStory[] {
  return positions.map(({ story, title, percent, minutesLeft }) => ({
    story,
    title,
    percent,
    minutesLeft,
    cover: books.find(({ id }) => id === story)?.coverPhoto ?? "",
  }));
}
