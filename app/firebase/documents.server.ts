import type { Env } from "#app/env.server.ts";
import { PermissionDeniedError, UnauthenticatedError } from "./firestore-error.server.ts";
import type { DocumentSnapshot, Fields as GatewayFields } from "./firestore-types.ts";
import { asUser } from "./firestore.server.ts";

/** Firestore refused the token, or the rules refused the request. */
export class RefusedError extends Error {
  override name = "RefusedError";
  readonly isTokenRefused: boolean;

  constructor(message: string, { isTokenRefused = false } = {}) {
    super(message);
    this.isTokenRefused = isTokenRefused;
  }
}

/** A document's fields and its `id`. */
export type Fields = GatewayFields;

/** A document's fields and its `id`, and the time of its last change. */
export type DatedFields = Pick<DocumentSnapshot, "fields" | "updateTime">;

export interface Snapshot {
  documents: (DatedFields | null)[];
  /** The database's time. */
  readAt: Date;
}

/** Reads documents as `readSnapshot` does, without their times. */
export async function readDocuments(
  env: Env,
  idToken: string | null,
  paths: readonly string[],
): Promise<(Fields | null)[]> {
  const { documents } = await readSnapshot(env, idToken, paths);
  return documents.map((document) => document && document.fields);
}

/**
 * Reads documents in one request: see `asUser`, which replaces this.
 *
 * @throws {RefusedError}
 * @throws {UnavailableError}
 */
export async function readSnapshot(
  env: Env,
  idToken: string | null,
  paths: readonly string[],
): Promise<Snapshot> {
  try {
    const user = idToken === null ? null : { idToken };
    const { documents, readTime } = await asUser(env, user).batchGet(paths);
    return {
      documents: documents.map(
        (document) =>
          document && {
            fields: { ...document.fields, id: document.id },
            updateTime: document.updateTime,
          },
      ),
      readAt: readTime,
    };
  } catch (error) {
    const isTokenRefused = error instanceof UnauthenticatedError;
    if (!isTokenRefused && !(error instanceof PermissionDeniedError)) throw error;
    throw new RefusedError(error.message, { isTokenRefused });
  }
}
