import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { FirestoreError } from "./firestore-error.server.ts";

/**
 * Waits for a read that the rules allow. Firestore may still reject it when the user's token was revoked or the rules
 * are not deployed yet.
 *
 * @throws {UnavailableError} when Firestore rejects the read or does not respond
 */
export async function requireRead<Result>(read: Promise<Result>): Promise<Result> {
  try {
    return await read;
  } catch (cause) {
    if (!(cause instanceof FirestoreError)) throw cause;
    throw new UnavailableError("Firestore rejected a read", { cause });
  }
}
