import { convertFromFirestoreDocument } from "firebase-rest-firestore";
import * as z from "zod";

import { locateDocuments } from "./commit.server.ts";
import { requirePath } from "./document-path.server.ts";
import type { Env } from "./env.server.ts";

const TIMEOUT_MS = 30_000;

type StoredDocument = Parameters<typeof convertFromFirestoreDocument>[0];

const documentSchema = z.object({ name: z.string(), fields: z.record(z.string(), z.object()) });
const storedSchema = z.custom<StoredDocument>(
  (document) => documentSchema.safeParse(document).success,
);
const answerSchema = z.array(z.object({ found: storedSchema.optional() }));

/** Reads a document as Firestore's REST interface sends it. */
export const fieldsSchema = storedSchema.transform((document): Fields =>
  convertFromFirestoreDocument(document),
);

/** Firestore refused the token, or by its rules what was asked. */
export class RefusedError extends Error {
  override name = "RefusedError";
}

/** What a document holds, and its `id`. */
export type Fields = Record<string, unknown>;

/** A document, and when it was last changed, as the database writes it. */
export interface DatedFields {
  fields: Fields;
  updateTime: string | undefined;
}

/** Reads documents as `readDatedDocuments` does, without their times. */
export async function readDocuments(
  env: Env,
  idToken: string | null,
  paths: readonly string[],
): Promise<(Fields | null)[]> {
  const documents = await readDatedDocuments(env, idToken, paths);
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
export async function readDatedDocuments(
  env: Env,
  idToken: string | null,
  paths: readonly string[],
): Promise<(DatedFields | null)[]> {
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
      const isRefused = response.status === 401 || response.status === 403;
      throw new (isRefused ? RefusedError : Error)(`Firestore answered ${response.status}`);
    }
    const answers = answerSchema.parse(await response.json());
    const documents = new Map(answers.map(({ found }) => [found?.name, found]));
    return names.map((name) => {
      const found = documents.get(name);
      if (!found) return null;
      return { fields: convertFromFirestoreDocument(found), updateTime: found.updateTime };
    });
  } catch (error) {
    // oxlint-disable-next-line no-console -- this is the server's log
    console.error("Documents could not be read.", error);
    throw error;
  }
}
