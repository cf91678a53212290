import * as z from "zod";

import { oncePerEnv, type Env } from "#app/env.server.ts";
import { createFirestoreAs } from "#app/firebase/firestore.server.ts";
import { createCache } from "#app/http/cache.server.ts";
import { createPreferenceCookie } from "#app/http/cookie.server.ts";
import { withTimeout } from "#app/http/timeout.server.ts";
import type { AuthUser } from "#app/session/user.ts";
import { placeFieldsSchema } from "./position-schema.ts";
import {
  PLACES_COOKIE,
  placesPath,
  putPlace,
  readPlaces,
  writePlaces,
  type Place,
} from "./position.ts";

/** A page waits no longer for a place: it is worth showing at its beginning. What fails, the library logs. */
const TIMEOUT_MS = 2000;

/** More stories than anybody reads at once. */
const MAX_LISTED = 20;

const cookie = createPreferenceCookie(PLACES_COOKIE.name, {
  maxAgeSeconds: PLACES_COOKIE.maxAgeSeconds,
  isForScripts: true,
});

/** A list that was read longer ago is read again in any case. */
const MAX_LIST_AGE_MS = 5 * 60_000;

type PositionUser = Pick<AuthUser, "uid" | "idToken">;

/** The place in one story: none, or one that the database does not hand out right now. */
export type FoundPlace = Place | "unreachable" | undefined;

/** Reads and writes, as the person, where they are in their stories. */
function createPlaceService(env: Env, now: () => number) {
  const lastLists = createCache<Place[]>(MAX_LIST_AGE_MS, now);

  /** Returns the place in one story; a visitor has none. */
  async function find(user: PositionUser | null, story: string): Promise<FoundPlace> {
    if (!user) return undefined;
    const { uid, idToken } = user;
    if (!idToken) return "unreachable";
    try {
      const query = createFirestoreAs(env, idToken).get(placesPath(uid), story);
      return toPlace(story, await withTimeout(query, TIMEOUT_MS));
    } catch {
      return "unreachable";
    }
  }

  /**
   * Returns the latest places, newest first, or `null` when the database does not answer in time.
   *
   * @param isSparing for a page that has other requests to make: the list as this isolate read it last will do
   */
  async function list(user: PositionUser | null, isSparing = false): Promise<Place[] | null> {
    if (!user) return [];
    const { uid, idToken } = user;
    if (!idToken) return null;
    const known = isSparing ? lastLists.find(uid) : undefined;
    if (known) return known;
    const query = createFirestoreAs(env, idToken)
      .collection(placesPath(uid))
      .orderBy("time", "desc")
      .limit(MAX_LISTED);
    try {
      const { docs } = await withTimeout(query.get(), TIMEOUT_MS);
      const places = docs.flatMap((doc) => toPlace(doc.id, doc.data()) ?? []);
      lastLists.set(uid, places);
      return places;
    } catch {
      return null;
    }
  }

  /**
   * Keeps a place, unless a later one is there already: the rules see to that. Tells whether the account has one of
   * the two now.
   */
  async function keep(user: PositionUser | null, { story, ...fields }: Place): Promise<boolean> {
    if (!user?.idToken) return false;
    const { uid, idToken } = user;
    const firestore = createFirestoreAs(env, idToken);
    try {
      const write = firestore.createWithId(placesPath(uid), story, fields);
      await withTimeout(write, TIMEOUT_MS);
      lastLists.delete(uid);
      return true;
    } catch (error) {
      return isRefusal(error);
    }
  }

  return { find, list, keep };
}

/** Returns the places that this device knows, newest first. */
export function getPlacesHere(request: Request): Place[] {
  return readPlaces(cookie.read(request));
}

/** Returns the `Set-Cookie` value by which this device knows one more place. */
export function keepPlaceHere(request: Request, place: Place): string {
  return cookie.write(request, writePlaces(putPlace(getPlacesHere(request), place)));
}

/** Returns the place that a document tells of; `undefined` when it is none. */
export function toPlace(
  story: string,
  data: Record<string, unknown> | null | undefined,
): Place | undefined {
  const { id: _, ...fields } = data ?? {};
  const place = placeFieldsSchema.safeParse(fields).data;
  return place && { story, ...place };
}

/** The rules refuse a place that is older than the one in the account. */
function isRefusal(error: unknown): boolean {
  return errorSchema.safeParse(error).success;
}

/** What the library attaches to its errors. */
const errorSchema = z.object({ status: z.union([z.literal(403), z.literal(409)]) });

export const getPositions = oncePerEnv((env) => createPlaceService(env, () => Date.now()));
