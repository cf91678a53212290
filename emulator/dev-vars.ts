import { randomBytes } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { parseEnv } from "node:util";

import { LaunchError } from "./launch-error.ts";

const createDevVars = (
  secret: string,
) => `# Secrets for this machine only, written by the first start. See .dev.vars.example.
SESSION_SECRET="${secret}"
`;

/**
 * Reads the app's secrets from `.dev.vars`. Creates the file with a random secret when it is missing, so that users stay
 * signed in over restarts.
 *
 * @throws LaunchError when the file cannot be written
 */
export async function readDevVars(path: string): Promise<Record<string, string>> {
  try {
    const secret = randomBytes(32).toString("base64url");
    await writeFile(path, createDevVars(secret), { flag: "wx", mode: 0o600 });
  } catch (error) {
    const isExisting = error instanceof Error && "code" in error && error.code === "EEXIST";
    if (!isExisting) {
      // An empty file, as a full disk leaves it, would be kept by the next start.
      await rm(path, { force: true });
      throw new LaunchError(`${path} cannot be written.`, { cause: error });
    }
  }
  const variables = parseEnv(await readFile(path, "utf8"));
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, value ?? ""]));
}

/** Returns the text of a `.env` file with exactly these values. */
export function toDotEnv(variables: Record<string, string>): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}=${quote(name, value)}\n`)
    .join("");
}

/**
 * Quotes a value with a quotation mark that it does not contain, because the format has no escapes except for line breaks
 * in double quotes.
 */
function quote(name: string, value: string): string {
  const quotationMark = ["'", "`", '"'].find((candidate) => !value.includes(candidate));
  if (quotationMark === undefined || (quotationMark === '"' && value.includes("\\"))) {
    throw new LaunchError(
      `${name} contains every kind of quotation mark, which .env files do not allow.`,
    );
  }
  return quotationMark + value + quotationMark;
}
