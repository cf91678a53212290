import type { Account } from "#app/schemas/account.ts";
import { placeFieldsSchema } from "#app/schemas/place-schema.ts";
import {
  PLACES_COOKIE,
  placesPath,
  putPlace,
  readPlaces,
  writePlaces,
  type Place,
} from "#app/schemas/place.ts";
import { createPreferenceCookie } from "./cookie.server.ts";
import type { Env } from "./env.server.ts";
import { createFirestoreAs } from "./firestore.server.ts";
import { withTimeout } from "./timeout.server.ts";

/** A page waits no longer for a place: it is worth showing at its beginning. */
const TIMEOUT_MS = 2000;

/** More stories than anybody reads at once. */
const MAX_LISTED = 20;

const cookie = createPreferenceCookie(PLACES_COOKIE.name, {
  maxAgeSeconds: PLACES_COOKIE.maxAgeSeconds,
  isForScripts: true,
});

/** Whoever has places in their account, with a token to act with. */
export interface Reader {
  account: Account | null;
  idToken: string | null;
}

export const NOBODY: Reader = { account: null, idToken: null };

/** Reads and writes, as the person, where they are in their stories. */
export function createPlaceService(env: Env) {
  /** Returns the place in one story; `undefined` for a visitor, for none, and when the database does not answer. */
  async function find({ account, idToken }: Reader, story: string): Promise<Place | undefined> {
    if (!account || !idToken) return undefined;
    const query = createFirestoreAs(env, idToken).get(placesPath(account.uid), story);
    return toPlace(story, await orNothing(query));
  }

  /** Returns the latest places, newest first. */
  async function list({ account, idToken }: Reader): Promise<Place[]> {
    if (!account || !idToken) return [];
    const query = createFirestoreAs(env, idToken)
      .collection(placesPath(account.uid))
      .orderBy("time", "desc")
      .limit(MAX_LISTED);
    const found = await orNothing(query.get());
    return (found?.docs ?? []).flatMap((doc) => toPlace(doc.id, doc.data()) ?? []);
  }

  /** Keeps a place, unless a later one is there already: the rules see to that. */
  async function keep({ account, idToken }: Reader, { story, ...fields }: Place): Promise<void> {
    if (!account || !idToken) return;
    await orNothing(
      createFirestoreAs(env, idToken).createWithId(placesPath(account.uid), story, fields),
    );
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

/** A place is a convenience: a database that fails or refuses, which the library logs, takes nothing else with it. */
async function orNothing<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await withTimeout(promise, TIMEOUT_MS);
  } catch {
    return undefined;
  }
}
