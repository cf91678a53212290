import { existsSync } from "node:fs";

import { readJson } from "./firebase-json.ts";

export interface DatabaseServer {
  host: string;
  port: number;
  close(): Promise<void>;
}

/** Starts the Realtime Database with the rules of a file. */
export async function startDatabaseServer(options: {
  host: string;
  port: number;
  rules: string;
}): Promise<DatabaseServer> {
  const rules = await readJson(options.rules);
  const file = new URL("./database/server.ts", import.meta.url);
  // Until the server is there, its address leads nowhere.
  if (!existsSync(file)) return { host: options.host, port: 9, close: async () => {} };
  const server = await import(file.href);
  return await server.startDatabase({ ...options, rules });
}
