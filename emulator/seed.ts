import { fileURLToPath } from "node:url";

import * as z from "zod";

import { readJson } from "./firebase-json.ts";
import type { FirebaseHosts } from "./hosts.ts";
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

const recordsSchema = z.object({ recordsCount: z.coerce.number().default(0) });
const usersSchema = z.object({ users: z.array(z.unknown()).default([]) });
const collectionsSchema = z.object({ collectionIds: z.array(z.string()).default([]) });

interface SeedTarget {
  hosts: Pick<FirebaseHosts, "FIREBASE_AUTH_EMULATOR_HOST" | "FIRESTORE_EMULATOR_HOST">;
  projectId: string;
}

/**
 * Adds the demo accounts of `seed.json` to an Auth server without accounts, and its documents to a Firestore without
 * documents. Servers that were already running may have both.
 *
 * @throws LaunchError when a server does not respond
 */
export async function seed(target: SeedTarget): Promise<void> {
  const { auth, firestore } = getAddresses(target);
  const found = await post(`${auth}/accounts:query`, { returnUserInfo: false });
  if (recordsSchema.parse(found).recordsCount === 0) await addAccounts(target);

  const listed = await post(`${firestore}:listCollectionIds`, { pageSize: 1 });
  if (collectionsSchema.parse(listed).collectionIds.length === 0) await addDocuments(target);
}

/**
 * Adds what is missing of `seed.json`. Returns how many accounts and documents that are.
 *
 * @throws LaunchError when a server does not respond
 */
export async function addSeed(
  target: SeedTarget,
): Promise<{ accounts: number; documents: number }> {
  return { accounts: await addAccounts(target), documents: await addDocuments(target) };
}

async function addAccounts(target: SeedTarget): Promise<number> {
  const { auth } = getAddresses(target);
  const { accounts } = await readSeed();
  let added = 0;
  for (const account of accounts) {
    const { localId, email } = account;
    // The same id or the same address, since a user may have registered with it.
    const byId = await post(`${auth}/accounts:lookup`, { localId: [localId] });
    const byEmail = await post(`${auth}/accounts:lookup`, { email: [email] });
    if ([byId, byEmail].some((found) => usersSchema.parse(found).users.length > 0)) continue;
    await post(`${auth}/accounts`, account);
    added += 1;
  }
  return added;
}

async function addDocuments(target: SeedTarget): Promise<number> {
  const { root, firestore } = getAddresses(target);
  const { documents } = await readSeed();
  let added = 0;
  // In sequence, so that their times are in this order.
  for (const document of documents) {
    const response = await send(`${firestore}:commit`, { writes: [toWrite(root, document)] });
    if (response.status === 409) continue;
    await requireOk(response);
    added += 1;
  }
  return added;
}

function getAddresses({ hosts, projectId }: SeedTarget) {
  const project = `projects/${projectId}`;
  const root = `${project}/databases/(default)/documents`;
  return {
    auth: `http://${hosts.FIREBASE_AUTH_EMULATOR_HOST}/identitytoolkit.googleapis.com/v1/${project}`,
    firestore: `http://${hosts.FIRESTORE_EMULATOR_HOST}/v1/${root}`,
    root,
  };
}

async function readSeed(): Promise<Seed> {
  return seedSchema.parse(await readJson(fileURLToPath(new URL("./seed.json", import.meta.url))));
}

function toWrite(root: string, { path, fields, timeField }: Seed["documents"][number]) {
  const values = Object.entries(fields).map(([name, value]) => [
    name,
    value === null ? { nullValue: value } : { stringValue: value },
  ]);
  return {
    update: { name: `${root}/${path}`, fields: Object.fromEntries(values) },
    currentDocument: { exists: false },
    updateTransforms: [{ fieldPath: timeField, setToServerValue: "REQUEST_TIME" }],
  };
}

async function post(url: string, body: object): Promise<unknown> {
  const response = await send(url, body);
  await requireOk(response);
  return await response.json();
}

async function requireOk(response: Response): Promise<void> {
  if (response.ok) return;
  throw new Error(`${response.url}: ${response.status} ${await response.text()}`);
}

async function send(url: string, body: object): Promise<Response> {
  return await fetch(url, {
    method: "POST",
    headers: { authorization: "Bearer owner", "content-type": "application/json" },
    body: JSON.stringify(body),
  }).catch((error: unknown) => {
    throw new LaunchError(`No server responds at ${new URL(url).host}.`, { cause: error });
  });
}
