import { fileURLToPath } from "node:url";

import * as z from "zod";

import { readJson } from "./firebase-json.ts";
import type { LocalFirebase } from "./firebase.ts";

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

/** Adds the demo accounts and documents of `seed.json`. */
export async function seed({ hosts, projectId }: LocalFirebase): Promise<void> {
  const file = fileURLToPath(new URL("./seed.json", import.meta.url));
  const { accounts, documents } = seedSchema.parse(await readJson(file));

  const auth = `http://${hosts.FIREBASE_AUTH_EMULATOR_HOST}/identitytoolkit.googleapis.com/v1`;
  for (const account of accounts) await post(`${auth}/projects/${projectId}/accounts`, account);

  const root = `projects/${projectId}/databases/(default)/documents`;
  const commit = `http://${hosts.FIRESTORE_EMULATOR_HOST}/v1/${root}:commit`;
  // In sequence, so that their times are in this order.
  for (const document of documents) await post(commit, { writes: [toWrite(root, document)] });
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

async function post(url: string, body: object): Promise<void> {
  const response = await fetch(url, {
    method: "POST",
    headers: { authorization: "Bearer owner", "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
}
