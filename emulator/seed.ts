import { fileURLToPath } from "node:url";

import * as z from "zod";

import { readJson } from "./firebase-json.ts";
import type { LocalFirebase } from "./firebase.ts";
import { LaunchError } from "./launch-error.ts";

const seedSchema = z.object({
  accounts: z.array(
    z.object({
      localId: z.string(),
      email: z.string(),
      /** Signing in with Google removes the password of an unverified address. */
      emailVerified: z.boolean().default(false),
      password: z.string(),
      displayName: z.string(),
    }),
  ),
  documents: z.array(
    z.object({
      path: z.string(),
      fields: z.record(z.string(), z.string().nullable()),
      /** The field that is set to the server's time. */
      timeField: z.string(),
    }),
  ),
});

type Seed = z.infer<typeof seedSchema>;

const accountsSchema = z.object({ recordsCount: z.coerce.number().default(0) });
const collectionsSchema = z.object({ collectionIds: z.array(z.string()).default([]) });

/**
 * Adds the demo accounts of `seed.json` to an Auth server without accounts, and its documents to a Firestore without
 * documents. Servers that were already running may have both.
 *
 * @throws LaunchError when a server does not respond
 */
export async function seed({ hosts, projectId }: LocalFirebase): Promise<void> {
  const file = fileURLToPath(new URL("./seed.json", import.meta.url));
  const { accounts, documents } = seedSchema.parse(await readJson(file));

  const project = `projects/${projectId}`;
  const auth = `http://${hosts.FIREBASE_AUTH_EMULATOR_HOST}/identitytoolkit.googleapis.com/v1/${project}`;
  const found = await post(`${auth}/accounts:query`, { returnUserInfo: false });
  if (accountsSchema.parse(found).recordsCount === 0) {
    for (const account of accounts) await post(`${auth}/accounts`, account);
  }

  const root = `${project}/databases/(default)/documents`;
  const firestore = `http://${hosts.FIRESTORE_EMULATOR_HOST}/v1/${root}`;
  const listed = await post(`${firestore}:listCollectionIds`, { pageSize: 1 });
  if (collectionsSchema.parse(listed).collectionIds.length > 0) return;
  // In sequence, so that their times are in this order.
  for (const document of documents) {
    await post(`${firestore}:commit`, { writes: [toWrite(root, document)] });
  }
}

function toWrite(root: string, { path, fields, timeField }: Seed["documents"][number]) {
  const values = Object.entries(fields).map(([name, value]) => [
    name,
    value === null ? { nullValue: value } : { stringValue: value },
  ]);
  return {
    update: { name: `${root}/${path}`, fields: Object.fromEntries(values) },
    updateTransforms: [{ fieldPath: timeField, setToServerValue: "REQUEST_TIME" }],
  };
}

async function post(url: string, body: object): Promise<unknown> {
  const response = await fetch(url, {
    method: "POST",
    headers: { authorization: "Bearer owner", "content-type": "application/json" },
    body: JSON.stringify(body),
  }).catch((error: unknown) => {
    throw new LaunchError(`No server responds at ${new URL(url).host}.`, { cause: error });
  });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return await response.json();
}
