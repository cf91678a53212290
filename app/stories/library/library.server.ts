import type * as z from "zod";

import { createServiceGetter, type Env } from "#app/env.server.ts";
import { FailedPreconditionError } from "#app/firebase/firestore-error.server.ts";
import type { Fields } from "#app/firebase/firestore-types.ts";
import { asUser } from "#app/firebase/firestore.server.ts";
import { createCookie } from "#app/http/cookie.server.ts";
import { ActionFailure } from "#app/session/run-action.server.ts";
import type { UserWithToken } from "#app/session/user.ts";
import { getPositions } from "#app/stories/positions/positions.server.ts";
import { followingListSchema, savedCookieSchema, savedListSchema } from "./library-schema.ts";
import {
  getFollowingPath,
  LIST_TIME,
  MAX_FOLLOWED,
  MAX_SAVED,
  getSavedPath,
  type FollowedWriter,
  type SavedStory,
} from "./library.ts";

const CALL_OPTIONS = { timeoutMs: 5000 };

/** Another tab may change the list at the same moment. */
const MAX_RETRIES = 2;

/** In bytes, encoded. Every request sends the cookie. */
const MAX_COOKIE_LENGTH = 2000;

/**
 * Changes the lists of a user's account.
 *
 * Every method rejects with an `ActionFailure` when the list is full, and with `UnavailableError` or `FirestoreError`
 * when it fails.
 */
function createLibraryService(env: Env, clearList: (uid: string) => void) {
  async function change<Item>(
    user: UserWithToken,
    path: string,
    list: { schema: z.ZodType<{ items: Item[] }>; max: number; full: string },
    toItems: (items: Item[]) => Item[],
    retries = MAX_RETRIES,
  ): Promise<void> {
    const firestore = asUser(env, user);
    const document = await firestore.get(path, CALL_OPTIONS);
    const items = toItems(readItems(list.schema, document?.fields));
    if (items.length > list.max) {
      throw new ActionFailure({ reason: "too-many", message: list.full });
    }
    const precondition = document ? { updateTime: document.updateTime } : { exists: false };
    try {
      const fields = { time: LIST_TIME, items };
      await firestore.commit([{ path, fields, ...precondition }], CALL_OPTIONS);
    } catch (error) {
      if (!(error instanceof FailedPreconditionError) || retries === 0) throw error;
      return change(user, path, list, toItems, retries - 1);
    }
    clearList(user.uid);
  }

  const saved = {
    schema: savedListSchema,
    max: MAX_SAVED,
    full: `You can save up to ${MAX_SAVED} stories. Remove one first.`,
  };
  const following = {
    schema: followingListSchema,
    max: MAX_FOLLOWED,
    full: `You can follow up to ${MAX_FOLLOWED} writers. Stop following one first.`,
  };

  return {
    /** Saves a story for later, first in the list. */
    save: (user: UserWithToken, story: SavedStory) =>
      change(user, getSavedPath(user.uid), saved, (items) => addSaved(items, story)),

    /** Removes a saved story. */
    remove: (user: UserWithToken, id: string) =>
      change(user, getSavedPath(user.uid), saved, (items) =>
        items.filter((item) => item.id !== id),
      ),

    follow: (user: UserWithToken, writer: FollowedWriter) =>
      change(user, getFollowingPath(user.uid), following, (items) => [
        writer,
        ...items.filter(({ uid }) => uid !== writer.uid),
      ]),

    unfollow: (user: UserWithToken, uid: string) =>
      change(user, getFollowingPath(user.uid), following, (items) =>
        items.filter((item) => item.uid !== uid),
      ),
  };
}

/** Returns the saved stories in a document's fields. */
export function readSaved(fields: Fields | null | undefined): SavedStory[] {
  return readItems(savedListSchema, fields);
}

/** Returns the followed writers in a document's fields. */
export function readFollowing(fields: Fields | null | undefined): FollowedWriter[] {
  return readItems(followingListSchema, fields);
}

function readItems<Item>(
  schema: z.ZodType<{ items: Item[] }>,
  fields: Fields | null | undefined,
): Item[] {
  return schema.safeParse(fields).data?.items ?? [];
}

const cookie = createCookie("saved", { maxAgeSeconds: 365 * 24 * 60 * 60 });

/** Returns the stories saved in this browser, newest first. */
export function getDeviceSaved(request: Request): SavedStory[] {
  try {
    return savedCookieSchema.safeParse(JSON.parse(cookie.read(request) ?? "[]")).data ?? [];
  } catch {
    return [];
  }
}

/**
 * Returns the `Set-Cookie` value that saves a story in this browser.
 *
 * @throws {ActionFailure} if it does not fit into the cookie
 */
export function addDeviceSaved(request: Request, story: SavedStory): string {
  const list = JSON.stringify(addSaved(getDeviceSaved(request), story));
  if (encodeURIComponent(list).length <= MAX_COOKIE_LENGTH) return cookie.write(request, list);
  const message = "This browser can't hold more saved stories. Remove one, or sign in.";
  throw new ActionFailure({ reason: "too-many", message });
}

/** Returns the `Set-Cookie` header that removes a story from this browser; none if it is not saved there. */
export function removeDeviceSaved(request: Request, id: string): Record<string, string> {
  const stories = getDeviceSaved(request);
  const remaining = stories.filter((story) => story.id !== id);
  if (remaining.length === stories.length) return {};
  return {
    "Set-Cookie":
      remaining.length > 0
        ? cookie.write(request, JSON.stringify(remaining))
        : cookie.remove(request),
  };
}

/** Returns the stories saved in the account and in this browser, each once. */
export function mergeSaved(
  account: readonly SavedStory[],
  device: readonly SavedStory[],
): SavedStory[] {
  return [...new Map([...device, ...account].map((story) => [story.id, story])).values()];
}

function addSaved(items: readonly SavedStory[], story: SavedStory): SavedStory[] {
  return [story, ...items.filter(({ id }) => id !== story.id)];
}

export const getLibrary = createServiceGetter((env, context) =>
  createLibraryService(env, (uid) => getPositions(context).clearList(uid)),
);
