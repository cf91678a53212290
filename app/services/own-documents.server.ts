import * as z from "zod";

import type { Env } from "./env.server.ts";

const TIMEOUT_MS = 30_000;

/** As many as one commit may change. */
const BATCH_SIZE = 500;

/**
 * Each batch takes two requests, and a Worker of the free plan makes 50 for one of its own.
 *
 * @see https://developers.cloudflare.com/workers/platform/limits/#subrequests
 */
const MAX_BATCHES = 18;

const foundSchema = z.array(z.object({ document: z.object({ name: z.string() }).optional() }));

/** What to do with a document: delete it, or set some of its fields, given in Firestore's own form. */
type Change = "delete" | { fields: Record<string, object> };

/**
 * Changes all documents of a collection that are a person's, by their `uid` or by the path, as that person, in batches. It can be begun again at
 * any time. `firebase-rest-firestore` changes one document a request, of which there would be too many.
 *
 * @returns `unfinished` when there are more than one request can change
 * @throws when Firestore refuses or cannot be reached
 * @see https://firebase.google.com/docs/firestore/reference/rest/v1/projects.databases.documents/commit
 */
export async function changeOwnDocuments(
  env: Env,
  person: { uid: string; idToken: string },
  path: string,
  change: Change,
): Promise<"done" | "unfinished"> {
  const emulator = env.FIRESTORE_EMULATOR_HOST;
  const host = emulator ? `http://${emulator}` : "https://firestore.googleapis.com";
  const root = `projects/${env.FIREBASE_PROJECT_ID}/databases/(default)/documents`;
  const [parent, collectionId] = splitPath(path);

  async function post(resource: string, body: object): Promise<unknown> {
    const response = await fetch(`${host}/v1/${resource}`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Authorization: `Bearer ${person.idToken}`,
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`Firestore answered ${response.status} to ${resource}`);
    return response.json();
  }

  async function find(after: string | undefined): Promise<string[]> {
    const structuredQuery = {
      from: [{ collectionId }],
      select: { fields: [{ fieldPath: "__name__" }] },
      // Below their own path everything is theirs.
      ...(!path.startsWith(`users/${person.uid}/`) && {
        where: {
          fieldFilter: {
            field: { fieldPath: "uid" },
            op: "EQUAL",
            value: { stringValue: person.uid },
          },
        },
      }),
      orderBy: [{ field: { fieldPath: "__name__" }, direction: "ASCENDING" }],
      ...(after && { startAt: { values: [{ referenceValue: after }], before: false } }),
      limit: BATCH_SIZE,
    };
    const found = foundSchema.parse(await post(`${root}${parent}:runQuery`, { structuredQuery }));
    return found.flatMap(({ document }) => document?.name ?? []);
  }

  function toWrite(name: string): object {
    if (change === "delete") return { delete: name };
    return {
      update: { name, fields: change.fields },
      updateMask: { fieldPaths: Object.keys(change.fields) },
      currentDocument: { exists: true },
    };
  }

  let last: string | undefined;
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const names = await find(last);
    if (names.length > 0) await post(`${root}:commit`, { writes: names.map(toWrite) });
    if (names.length < BATCH_SIZE) return "done";
    last = names.at(-1);
  }
  return "unfinished";
}

/** Splits `rooms/general/messages` into `/rooms/general` and `messages`. */
function splitPath(path: string): [string, string] {
  const end = path.lastIndexOf("/");
  return end < 0 ? ["", path] : [`/${path.slice(0, end)}`, path.slice(end + 1)];
}
