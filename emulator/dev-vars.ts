import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { parseEnv } from "node:util";

import { LaunchError } from "./launch-error.ts";

const NEW_FILE = (
  secret: string,
) => `# Secrets for this machine only, written by the first start. See .dev.vars.example.
SESSION_SECRET="${secret}"
`;

/**
 * Reads the app's secrets from `.dev.vars`. A checkout without that file gets one, with a secret of its own, so that
 * people stay signed in over restarts.
 */
export async function readDevVars(path: string): Promise<Record<string, string>> {
  try {
    const secret = randomBytes(32).toString("base64url");
    await writeFile(path, NEW_FILE(secret), { flag: "wx", mode: 0o600 });
  } catch (error) {
    const isThere = error instanceof Error && "code" in error && error.code === "EEXIST";
    if (!isThere) throw new LaunchError(`${path} cannot be written.`, { cause: error });
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

/** The format knows no escapes but in double quotes, and there only of line ends: pick marks the value does not use. */
function quote(name: string, value: string): string {
  const mark = ["'", "`", '"'].find((candidate) => !value.includes(candidate));
  if (mark === undefined || (mark === '"' && value.includes("\\"))) {
    throw new LaunchError(
      `${name} contains every kind of quotation mark, which .env files do not allow.`,
    );
  }
  return mark + value + mark;
}
