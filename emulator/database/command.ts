import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";

import { startDatabase } from "./server.ts";

const USAGE =
  "Usage: local-realtime-database --rules database.rules.json [--file database.jsonl] [--port 9000]";

try {
  const { path, file, port } = readOptions();
  const rules = await readFile(path, "utf8").catch(() => {
    throw new Error(`${path} is missing or cannot be read.`);
  });
  const server = await startDatabase({ rules, file, port });
  console.log(`The Realtime Database is at ${server.host}:${server.port}. Press Ctrl-C to stop.`);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.once(signal, () => void server.close());
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

/** @throws Error with a sentence for the terminal */
function readOptions(): { path: string; file: string | undefined; port: number } {
  const { values } = parseArgs({
    options: {
      rules: { type: "string" },
      file: { type: "string" },
      port: { type: "string", default: "9000" },
    },
  });
  const port = Number(values.port);
  if (values.rules === undefined) throw new Error(USAGE);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Error(`--port must be a number from 0 to 65535, not "${values.port}".`);
  }
  return { path: values.rules, file: values.file, port };
}
