import type { Env } from "#app/env.server.ts";
import { fetchRecorded } from "#app/http/outgoing-calls.server.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";

const TIMEOUT_MS = 30_000;

/** The database rejected a request. `status` is the HTTP status, such as 401 when the rules do not allow it. */
export class DatabaseError extends Error {
  override name = "DatabaseError";
  readonly status: number;

  constructor(status: number) {
    super(`The Realtime Database responded with ${status}`);
    this.status = status;
  }
}

/** `null` for requests without a user. */
type DatabaseUser = {
  /** `null` while it cannot be renewed. */
  idToken: string | null;
} | null;

export interface ReadOptions {
  /**
   * The maximum number of children to read: the first in the order of their keys, unless there is `newestBy`.
   *
   * @default all
   */
  limit?: number;
  /** The field with the times of the children. With a limit, only those with the latest times are read. */
  newestBy?: string;
  timeoutMs: number;
}

/**
 * Reads a value of the Realtime Database as a user. Returns `null` if there is none.
 *
 * @param user `null` for requests without a user
 * @throws {UnavailableError} when there is no valid ID token, or the database does not respond in time or fails
 * @throws {DatabaseError} when the database rejects the request
 * @see https://firebase.google.com/docs/database/rest/retrieve-data#section-rest-filtering
 */
export async function readValue(
  env: Env,
  user: DatabaseUser,
  path: string,
  { limit, newestBy, timeoutMs }: ReadOptions,
): Promise<unknown> {
  const url = toUrl(env, user, path);
  if (limit !== undefined) {
    url.searchParams.set("orderBy", JSON.stringify(newestBy ?? "$key"));
    url.searchParams.set(newestBy === undefined ? "limitToFirst" : "limitToLast", String(limit));
  }
  const text = await callApi(url, { method: "GET" }, timeoutMs);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UnavailableError("The Realtime Database did not respond", { cause });
  }
}

/** Returns whether a value is `true`; `null` when the database is unavailable, or rejects the request. */
export async function readFlag(
  env: Env,
  user: DatabaseUser,
  path: string,
  options: ReadOptions,
): Promise<boolean | null> {
  try {
    return (await readValue(env, user, path, options)) === true;
  } catch (error) {
    if (error instanceof UnavailableError || error instanceof DatabaseError) return null;
    throw error;
  }
}

/**
 * Changes values of the Realtime Database as a user, all or none.
 *
 * @param values by their paths; `null` deletes
 * @throws {UnavailableError} when there is no valid ID token, or the database does not respond in time or fails
 * @throws {DatabaseError} when the database rejects the request
 */
export async function updateValues(
  env: Env,
  user: DatabaseUser,
  values: Record<string, boolean | string | number | null>,
  timeoutMs = TIMEOUT_MS,
): Promise<void> {
  const init = { method: "PATCH", body: JSON.stringify(values) };
  await callApi(toUrl(env, user, ""), init, timeoutMs);
}

/** Deletes values of the Realtime Database as `updateValues` does. */
export function deleteValues(env: Env, user: DatabaseUser, paths: string[]): Promise<void> {
  return updateValues(env, user, Object.fromEntries(paths.map((path) => [path, null])));
}

/**
 * Returns the URL of a value, with the user's ID token: the database accepts it only there.
 *
 * @see https://firebase.google.com/docs/database/rest/auth#authenticate_with_an_id_token
 */
function toUrl(env: Env, user: DatabaseUser, path: string): URL {
  if (user?.idToken === null) throw new UnavailableError("The ID token cannot be renewed now");
  const emulator = env.FIREBASE_DATABASE_EMULATOR_HOST;
  const url = new URL(`${path}.json`, emulator ? `http://${emulator}` : env.FIREBASE_DATABASE_URL);
  if (emulator) url.searchParams.set("ns", `${env.FIREBASE_PROJECT_ID}-default-rtdb`);
  if (user) url.searchParams.set("auth", user.idToken);
  return url;
}

async function callApi(
  url: URL,
  init: { method: string; body?: string },
  timeoutMs: number,
): Promise<string> {
  const call = { service: "database", method: init.method } as const;
  const response = await fetchRecorded(call, url, { ...init, timeoutMs }).catch(
    (cause: unknown) => {
      throw new UnavailableError("The Realtime Database did not respond", { cause });
    },
  );
  if (response.ok) return response.text;
  const error = new DatabaseError(response.status);
  const isUnavailable = response.status >= 500 || response.status === 429;
  throw isUnavailable ? new UnavailableError(error.message) : error;
}
