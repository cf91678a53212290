import { convertFromFirestoreDocument } from "firebase-rest-firestore";
import * as z from "zod";

import type { Env } from "#app/env.server.ts";
import { locateDocuments } from "./commit.server.ts";
import { requirePath } from "./document-path.server.ts";

const TIMEOUT_MS = 30_000;

type StoredDocument = Parameters<typeof convertFromFirestoreDocument>[0];

const documentSchema = z.object({ name: z.string(), fields: z.record(z.string(), z.object()) });
const storedSchema = z.custom<StoredDocument>(
  (document) => documentSchema.safeParse(document).success,
);
const answerSchema = z.array(
  z.object({ found: storedSchema.optional(), readTime: z.coerce.date() }),
);

/** Reads a document as Firestore's REST interface sends it. */
export const fieldsSchema = storedSchema.transform((document): Fields =>
  convertFromFirestoreDocument(document),
);

/** Firestore refused the token, or by its rules what was asked. */
export class RefusedError extends Error {
  override name = "RefusedError";
  readonly isTokenRefused: boolean;

  constructor(message: string, { isTokenRefused = false } = {}) {
    super(message);
    this.isTokenRefused = isTokenRefused;
  }
}

/** What a document holds, and its `id`. */
export type Fields = Record<string, unknown>;

/** A document, and when it was last changed, as the database writes it. */
export interface DatedFields {
  fields: Fields;
  updateTime: string | undefined;
}

/** Documents, and the time of the database when it read them. */
export interface Snapshot {
  documents: (DatedFields | null)[];
  readAt: Date;
}

/** Reads documents as `readSnapshot` does, without any times. */
export async function readDocuments(
  env: Env,
  idToken: string | null,
  paths: readonly string[],
): Promise<(Fields | null)[]> {
  const { documents } = await readSnapshot(env, idToken, paths);
  return documents.map((document) => document && document.fields);
}

/**
 * Reads documents in one request, as the owner of `idToken` or as a visitor: `null` for those that there are not. The
 * library reads one a request, and a page may make few. A refusal of one is a refusal of all.
 *
 * @param paths below the database's root
 * @throws when Firestore refuses or cannot be reached, which is logged
 * @see https://firebase.google.com/docs/firestore/reference/rest/v1/projects.databases.documents/batchGet
 */
export async function readSnapshot(
  env: Env,
  idToken: string | null,
  paths: readonly string[],
): Promise<Snapshot> {
  const { root, url } = locateDocuments(env);
  const names = paths.map((path) => `${root}/${requirePath(path)}`);
  try {
    const response = await fetch(`${url}:batchGet`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        ...(idToken && { Authorization: `Bearer ${idToken}` }),
      },
      body: JSON.stringify({ documents: names }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) {
      const isTokenRefused = response.status === 401;
      const message = `Firestore answered ${response.status}`;
      if (!isTokenRefused && response.status !== 403) throw new Error(message);
      throw new RefusedError(message, { isTokenRefused });
    }
    const answers = answerSchema.parse(await response.json());
    const found = new Map(answers.map((answer) => [answer.found?.name, answer.found]));
    const documents = names.map((name) => {
      const document = found.get(name);
      if (!document) return null;
      return { fields: convertFromFirestoreDocument(document), updateTime: document.updateTime };
    });
    return { documents, readAt: answers[0]?.readTime ?? new Date() };
  } catch (error) {
    // oxlint-disable-next-line no-console -- this is the server's log
    console.error("Could not read documents.", error);
    throw error;
  }
}
