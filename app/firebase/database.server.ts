import type { Env } from "#app/env.server.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";

const TIMEOUT_MS = 30_000;

/**
 * Deletes a value of the Realtime Database as a user. The database accepts an ID token only in the URL.
 *
 * @throws {UnavailableError} when there is no valid ID token, or the database does not answer in time or fails
 * @throws {Error} when the database rejects the request
 * @see https://firebase.google.com/docs/database/rest/auth#authenticate_with_an_id_token
 */
export async function deleteValue(
  env: Env,
  { idToken }: { idToken: string | null },
  path: string,
): Promise<void> {
  if (idToken === null) throw new UnavailableError("The ID token cannot be renewed now");
  const emulator = env.FIREBASE_DATABASE_EMULATOR_HOST;
  const url = new URL(`${path}.json`, emulator ? `http://${emulator}` : env.FIREBASE_DATABASE_URL);
  if (emulator) url.searchParams.set("ns", `${env.FIREBASE_PROJECT_ID}-default-rtdb`);
  url.searchParams.set("auth", idToken);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(url, { method: "DELETE", signal }).catch((cause: unknown) => {
    throw new UnavailableError("The Realtime Database did not answer", { cause });
  });
  if (response.ok) return;
  const message = `The Realtime Database answered ${response.status}`;
  throw response.status >= 500 ? new UnavailableError(message) : new Error(message);
}
