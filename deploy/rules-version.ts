import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";

/** The files that contain the version of the rules, and the text around it. The first two are the rules. */
const PLACES = [
  ["firestore.rules", /(rulesVersion\/[^']*')[\da-f]{8}(')/],
  ["database.rules.json", /("rulesVersion":[^:]*")[\da-f]{8}(")/],
  ["app/firebase/rules-version.ts", /(RULES_VERSION = ")[\da-f]{8}(")/],
] as const;

/** Returns the files with the current version of the rules, which is a hash of the rules without the version itself. */
export async function getVersionedFiles(): Promise<
  { path: string; text: string; isOld: boolean }[]
> {
  const files = await Promise.all(
    PLACES.map(async ([path, place]) => ({ path, place, text: await readFile(path, "utf8") })),
  );
  const hash = createHash("sha256");
  for (const { path, place, text } of files) {
    if (!place.test(text)) throw new Error(`${path} has no version of the rules.`);
    if (path !== "app/firebase/rules-version.ts") hash.update(text.replace(place, ""));
  }
  const version = hash.digest("hex").slice(0, 8);
  return files.map(({ path, place, text }) => {
    const updated = text.replace(place, `$1${version}$2`);
    return { path, text: updated, isOld: updated !== text };
  });
}

if (process.argv[1] === import.meta.filename) {
  for (const { path, text, isOld } of await getVersionedFiles())
    if (isOld) await writeFile(path, text);
}
