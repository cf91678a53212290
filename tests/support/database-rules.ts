import { readFile } from "node:fs/promises";

/** Returns the text of the app's `database.rules.json`. */
export function readDatabaseRules(): Promise<string> {
  return readFile(new URL("../../database.rules.json", import.meta.url), "utf8");
}
