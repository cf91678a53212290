import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, test } from "vitest";

import { checkFirebaseFiles } from "../../deploy/firebase-files.ts";

const FILES = ["firebase.json", "firestore.indexes.json", "firestore.rules", "database.rules.json"];

test("Firebase's files have the form that firebase-tools expects", async () => {
  await checkFirebaseFiles(".");
});

test.each([
  ["firebase.json", '"rules": "firestore.rules"', '"rule": "firestore.rules"'],
  ["firebase.json", '"firestore.rules"', '"none.rules"'],
  ["firestore.indexes.json", '"DESCENDING"', '"DOWN"'],
  ["firestore.indexes.json", '"CONTAINS"', '"CONTAIN"'],
  ["firestore.indexes.json", '"ASCENDING"', '"DESCENDING"'],
  ["firestore.indexes.json", '"fieldOverrides"', '"overrides"'],
  ["firestore.indexes.json", "{", ""],
])("in %s, %s instead of %s is an error", async (file, text, replacement) => {
  const folder = await mkdtemp(join(tmpdir(), "firebase-files-"));
  for (const name of FILES) await cp(name, join(folder, name));
  const source = await readFile(file, "utf8");
  expect(source).toContain(text);
  await writeFile(join(folder, file), source.replace(text, replacement));

  await expect(checkFirebaseFiles(folder)).rejects.toThrow(/\.json|none\.rules/);
  await rm(folder, { recursive: true });
});
