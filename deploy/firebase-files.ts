import { access, readFile } from "node:fs/promises";
import { join } from "node:path";

import * as z from "zod";

// The parts of Firebase's configuration files that we use, as firebase-tools 15 accepts them. Unknown names are errors here,
// because firebase-tools ignores some of them.

const hostSchema = z.strictObject({ host: z.string(), port: z.int().min(1).max(65_535) });

/** @see https://firebase.google.com/docs/cli#the_firebasejson_file */
const firebaseSchema = z.strictObject({
  firestore: z.strictObject({ rules: z.string(), indexes: z.string() }),
  database: z.strictObject({ rules: z.string() }),
  emulators: z
    .strictObject({
      auth: hostSchema,
      firestore: hostSchema,
      database: hostSchema,
      ui: hostSchema.extend({ enabled: z.boolean() }),
      singleProjectMode: z.boolean(),
    })
    .partial(),
});

const scope = z.enum(["COLLECTION", "COLLECTION_GROUP"]);
const order = z.strictObject({ order: z.enum(["ASCENDING", "DESCENDING"]) });
const contains = z.strictObject({ arrayConfig: z.literal("CONTAINS") });
const name = z.string().min(1);
const field = z.union([order.extend({ fieldPath: name }), contains.extend({ fieldPath: name })]);

/** @see https://firebase.google.com/docs/reference/firestore/indexes */
const indexesSchema = z.strictObject({
  indexes: z.array(
    z.strictObject({
      collectionGroup: name,
      queryScope: scope,
      // The field that a query filters by, and the one it orders by. Firestore has an index of each single field
      // already, and rejects one that is listed here.
      fields: z.tuple([field, field]),
    }),
  ),
  fieldOverrides: z.array(
    z.strictObject({
      collectionGroup: name,
      fieldPath: name,
      indexes: z.array(
        z.union([order.extend({ queryScope: scope }), contains.extend({ queryScope: scope })]),
      ),
    }),
  ),
});

/**
 * Checks `firebase.json`, and the files that it names.
 *
 * @throws {Error} that names the wrong file and says what is wrong with it
 */
export async function checkFirebaseFiles(folder: string): Promise<void> {
  const { firestore, database } = await readJson(folder, "firebase.json", firebaseSchema);
  const indexes = await readIndexes(folder, firestore.indexes);
  const keys = indexes.map((index) => JSON.stringify(index));
  const twice = keys.find((key, at) => keys.indexOf(key) < at);
  if (twice !== undefined) throw new Error(`${firestore.indexes} has an index twice: ${twice}`);
  // Checks only that the rules files exist: tests load them into the local databases.
  await access(join(folder, firestore.rules));
  await access(join(folder, database.rules));
}

/** Returns the composite indexes. Firestore creates the indexes of single fields itself. */
export async function readIndexes(folder: string, file = "firestore.indexes.json") {
  return (await readJson(folder, file, indexesSchema)).indexes;
}

async function readJson<T>(folder: string, file: string, schema: z.ZodType<T>): Promise<T> {
  const text = await readFile(join(folder, file), "utf8");
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new Error(`${file} is not JSON`, { cause });
  }
  const { data, error } = schema.safeParse(json);
  if (error) throw new Error(`${file}:\n${z.prettifyError(error)}`);
  return data;
}
