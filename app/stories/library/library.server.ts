import type { AppLoadContext } from "@remix-run/cloudflare";
import * as z from "zod";

import { createServiceGetter, type Env } from "#app/env.server.ts";
import { requireRead } from "#app/firebase/firestore-error.server.ts";
import type { Fields } from "#app/firebase/firestore-types.ts";
import { asUser } from "#app/firebase/firestore.server.ts";
import { ifUnchanged, retryIfChanged } from "#app/firebase/preconditions.server.ts";
import { createCookie } from "#app/http/cookie.server.ts";
import { parseJson } from "#app/http/text.ts";
import { catchUnavailable, UnavailableError } from "#app/http/unavailable-error.server.ts";
import { ActionFailure } from "#app/session/run-action.server.ts";
import type { UserWithToken } from "#app/session/user.ts";
import { getPositions } from "#app/stories/positions/positions.server.ts";
import {
  getFollowingPath,
  getHiddenItemsPath,
  LIST_TIME,
  MAX_FOLLOWED,
  MAX_HIDDEN_ITEMS,
  MAX_SAVED,
  getSavedPath,
  HIDDEN_KINDS,
  type FollowedWriter,
  type HiddenItem,
  type SavedStory,
} from "./library.ts";

const text = z.string();

/** No address can have an id with half a character. */
const id = text.min(1).refine((value) => value.isWellFormed());

const savedStorySchema = z.object({
  id,
  title: text,
  author: text,
  writer: text,
  cover: text,
  minutes: z.number(),
});

const followedWriterSchema = z.object({ uid: text.min(1), name: text });

const hiddenItemSchema = z.object({ kind: z.enum(HIDDEN_KINDS), id, name: text });

/** The fields of the stored list of saved stories, newest first. `firestore.rules` repeats the limits. */
export const savedListSchema = z.strictObject({
  time: z.literal(LIST_TIME),
  items: z.array(savedStorySchema).max(MAX_SAVED),
});

/** The fields of the stored list of followed writers, newest first. `firestore.rules` repeats the limits. */
export const followingListSchema = z.strictObject({
  time: z.literal(LIST_TIME),
  items: z.array(followedWriterSchema).max(MAX_FOLLOWED),
});

/** The fields of the stored list of what is hidden, newest first. `firestore.rules` repeats the limits. */
export const hiddenListSchema = z.strictObject({
  time: z.literal(LIST_TIME),
  items: z.array(hiddenItemSchema).max(MAX_HIDDEN_ITEMS),
});

const savedCookieSchema = z.array(savedStorySchema);
const hiddenCookieSchema = z.array(hiddenItemSchema);

const CALL_OPTIONS = { timeoutMs: 5000 };

/** Another tab may change the list at the same moment. */
const MAX_TRIES = 3;

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
  ): Promise<void> {
    const firestore = asUser(env, user);
    await retryIfChanged(MAX_TRIES, async () => {
      const document = await firestore.get(path, CALL_OPTIONS);
      const items = toItems(readItems(list.schema, document?.fields));
      if (items.length > list.max) {
        throw new ActionFailure({ reason: "too-many", message: list.full });
      }
      const write = { path, fields: { time: LIST_TIME, items }, ...ifUnchanged(document) };
      await firestore.commit([write], CALL_OPTIONS);
    });
    clearList(user.uid);
  }

  const saved = {
    schema: savedListSchema,
    max: MAX_SAVED,
    full: `You can save up to ${MAX_SAVED} stories. Remove one first.`,
  };
  const hidden = {
    schema: hiddenListSchema,
    max: MAX_HIDDEN_ITEMS,
    full: `You can hide up to ${MAX_HIDDEN_ITEMS} stories, tags and writers. Show one again first.`,
  };
  const following = {
    schema: followingListSchema,
    max: MAX_FOLLOWED,
    full: `You can follow up to ${MAX_FOLLOWED} writers. Stop following one first.`,
  };

  return {
    /** Saves a story for later, first in the list. */
    save: (user: UserWithToken, story: SavedStory) =>
      change(user, getSavedPath(user.uid), saved, (items) => addFirst(items, story)),

    /** Removes a saved story. */
    remove: (user: UserWithToken, id: string) =>
      change(user, getSavedPath(user.uid), saved, (items) => without(items, { id })),

    follow: (user: UserWithToken, writer: FollowedWriter) =>
      change(user, getFollowingPath(user.uid), following, (items) => [
        writer,
        ...items.filter(({ uid }) => uid !== writer.uid),
      ]),

    unfollow: (user: UserWithToken, uid: string) =>
      change(user, getFollowingPath(user.uid), following, (items) =>
        items.filter((item) => item.uid !== uid),
      ),

    /** Hides a story, a tag or a writer from lists. */
    hide: (user: UserWithToken, item: HiddenItem) =>
      change(user, getHiddenItemsPath(user.uid), hidden, (items) => addFirst(items, item)),

    show: (user: UserWithToken, item: Pick<HiddenItem, "kind" | "id">) =>
      change(user, getHiddenItemsPath(user.uid), hidden, (items) => without(items, item)),

    /** Returns what is hidden in the account. @throws {UnavailableError} */
    async listHidden(user: UserWithToken): Promise<HiddenItem[]> {
      const path = getHiddenItemsPath(user.uid);
      const document = await requireRead(asUser(env, user).get(path, { timeoutMs: 2000 }));
      return readHiddenItems(document?.fields);
    },
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

/** Returns the hidden items in a document's fields. */
export function readHiddenItems(fields: Fields | null | undefined): HiddenItem[] {
  return readItems(hiddenListSchema, fields);
}

function readItems<Item>(
  schema: z.ZodType<{ items: Item[] }>,
  fields: Fields | null | undefined,
): Item[] {
  return schema.safeParse(fields).data?.items ?? [];
}

/** Creates a list in a cookie of the browser, newest first, for visitors and for users who were one. */
function createDeviceList<Item extends Identity>(
  name: string,
  { schema, full }: { schema: z.ZodType<Item[]>; full: string },
) {
  const cookie = createCookie(name, { maxAgeSeconds: 365 * 24 * 60 * 60 });

  function list(request: Request): Item[] {
    return schema.safeParse(parseJson(cookie.read(request))).data ?? [];
  }

  return {
    list,

    /**
     * Returns the `Set-Cookie` value that adds an item.
     *
     * @throws {ActionFailure} if it does not fit into the cookie
     */
    add(request: Request, item: Item): string {
      const items = JSON.stringify(addFirst(list(request), item));
      if (encodeURIComponent(items).length <= MAX_COOKIE_LENGTH)
        return cookie.write(request, items);
      throw new ActionFailure({ reason: "too-many", message: full });
    },

    /** Returns the `Set-Cookie` header that removes an item; none if it is not in the list. */
    remove(request: Request, item: Identity): Record<string, string> {
      const items = list(request);
      const remaining = without(items, item);
      if (remaining.length === items.length) return {};
      const isEmpty = remaining.length === 0;
      const value = isEmpty
        ? cookie.remove(request)
        : cookie.write(request, JSON.stringify(remaining));
      return { "Set-Cookie": value };
    },
  };
}

/** The stories saved in this browser. */
export const deviceSaved = createDeviceList("saved", {
  schema: savedCookieSchema,
  full: "This browser can't hold more saved stories. Remove one, or sign in.",
});

/** What is hidden in this browser. */
export const deviceHidden = createDeviceList("unwanted", {
  schema: hiddenCookieSchema,
  full: "This browser can't hide more. Show something again, or sign in.",
});

/** Returns the stories saved in the account and in this browser, each once. */
export function mergeSaved(
  account: readonly SavedStory[],
  device: readonly SavedStory[],
): SavedStory[] {
  return [...new Map([...device, ...account].map((story) => [story.id, story])).values()];
}

/** Returns what is hidden in the account and in this browser, each once. */
export function mergeHidden(
  account: readonly HiddenItem[],
  device: readonly HiddenItem[],
): HiddenItem[] {
  return account.reduceRight((items, item) => addFirst(items, item), [...device]);
}

/** Returns what a user or a visitor has hidden; only what this browser knows while the database does not respond. */
export async function loadHidden(
  { request, context }: { request: Request; context: AppLoadContext },
  user: UserWithToken | null,
): Promise<HiddenItem[]> {
  const account = user ? await catchUnavailable(getLibrary(context).listHidden(user)) : [];
  return mergeHidden(
    account instanceof UnavailableError ? [] : account,
    deviceHidden.list(request),
  );
}

interface Identity {
  id: string;
  /** Of hidden items: a tag may have the id of a writer. */
  kind?: string;
}

function addFirst<Item extends Identity>(items: readonly Item[], item: Item): Item[] {
  return [item, ...without(items, item)];
}

function without<Item extends Identity>(items: readonly Item[], { id, kind }: Identity): Item[] {
  return items.filter((item) => item.id !== id || item.kind !== kind);
}

export const getLibrary = createServiceGetter((env, context) =>
  createLibraryService(env, (uid) => getPositions(context).clearList(uid)),
);
