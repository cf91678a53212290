import type { LoaderFunctionArgs } from "@remix-run/cloudflare";

import { getEnv } from "#app/env.server.ts";
import { catchUnavailable, UnavailableError } from "#app/http/unavailable-error.server.ts";
import { listInProgress } from "#app/reading/positions/position-matching.server.ts";
import { getPendingUser } from "#app/session/user.server.ts";
import type { User } from "#app/session/user.ts";
import type { Book } from "#app/stories/book.ts";
import { findBuiltIn } from "#app/stories/built-in.server.ts";
import { createHiding } from "#app/stories/library/hiding.server.ts";
import {
  deviceHidden,
  deviceSaved,
  mergeHidden,
  mergeSaved,
  readFollowing,
  readHiddenItems,
  readSaved,
} from "#app/stories/library/library.server.ts";
import type { FollowedWriter, HiddenItem, SavedStory } from "#app/stories/library/library.ts";
import type { ReadingPosition } from "#app/stories/positions/position.ts";
import { getDevicePositions, getPositions } from "#app/stories/positions/positions.server.ts";
import type { InProgressStory } from "./book-card.tsx";

const MAX_SHOWN = 6;

/** A user's stories in progress, saved stories and followed writers. */
export interface UserLibrary {
  /** One for each story in progress, newest first. */
  positions: ReadingPosition[];
  /** Everything that a signed-in user has read, as far as this browser and the account know; empty for visitors. */
  read: ReadingPosition[];
  /** Saved in the account and in this browser, newest first. */
  saved: SavedStory[];
  following: FollowedWriter[];
  /** What is hidden in the account and in this browser. */
  hidden: HiddenItem[];
  /** Whether the account could not be read, so that some stories may be missing. */
  isPartial: boolean;
}

/**
 * Returns the user's library, in at most one request.
 *
 * @param mayReuse whether to return a recent library of this isolate, which saves the request
 */
export async function loadLibrary(
  { request, context }: LoaderFunctionArgs,
  mayReuse: boolean,
): Promise<UserLibrary> {
  const positions = getPositions(context);
  const savedHere = deviceSaved.list(request);
  const hiddenHere = deviceHidden.list(request);
  if (getEnv(context).READER === "placeholder") {
    const lists = { saved: savedHere, following: [], hidden: hiddenHere };
    return { positions: [], read: [], ...lists, isPartial: false };
  }
  const { unchecked, checked } = await getPendingUser({ request, context });
  const [result, { user }] = await Promise.all([
    unchecked.user ? catchUnavailable(positions.list(unchecked.user, mayReuse)) : null,
    checked,
  ]);
  const isPartial = user !== null && result instanceof UnavailableError;
  const account = user && !(result instanceof UnavailableError) ? result : null;
  const hidden = mergeHidden(readHiddenItems(account?.hidden), hiddenHere);
  return {
    positions: listNewestInProgress(request, account?.positions ?? [], { user, hidden }),
    hidden,
    read: user ? [...getDevicePositions(request, user), ...(account?.positions ?? [])] : [],
    saved: withoutHidden(mergeSaved(readSaved(account?.saved), savedHere), hidden),
    following: readFollowing(account?.following),
    isPartial,
  };
}

/** Returns the newest positions of stories in progress that are not hidden, in this browser and in the account. */
export function listNewestInProgress(
  request: Request,
  account: readonly ReadingPosition[],
  { user, hidden }: { user: Pick<User, "uid"> | null; hidden: readonly HiddenItem[] },
): ReadingPosition[] {
  const findHiding = createHiding(hidden);
  return listInProgress(getDevicePositions(request, user), account)
    .filter(({ story }) => !findHiding(findBuiltIn(story) ?? { id: story }))
    .slice(0, MAX_SHOWN);
}

/** Leaves out what is hidden. The tags of a saved story are known only if it is built in. */
export function withoutHidden(
  saved: readonly SavedStory[],
  hidden: readonly HiddenItem[],
): SavedStory[] {
  const findHiding = createHiding(hidden);
  return saved.filter((story) => !findHiding(findBuiltIn(story.id) ?? story));
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
    cover: books.find(({ id }) => id === story)?.cover ?? "",
  }));
}
