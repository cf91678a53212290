import { readFile } from "node:fs/promises";

import type { DatabaseServer, DatabaseServerOptions } from "#emulator/database/server.ts";
import { connectClient, NAMESPACE, startTestDatabase, type TestClient } from "./database.ts";

/** The claims of a page's token that say which session it belongs to. */
export const PAGE_CLAIMS = { session: "s".repeat(20), slot: "ss" };

/** Returns the text of the app's `database.rules.json`. */
export function readDatabaseRules(): Promise<string> {
  return readFile(new URL("../../database.rules.json", import.meta.url), "utf8");
}

/** Starts a server with the app's rules and this data, where users have the session of `PAGE_CLAIMS`. */
export async function startAppDatabase(
  users: string[],
  data: object = {},
  options: Partial<DatabaseServerOptions> = {},
): Promise<DatabaseServer> {
  const server = await startTestDatabase({ rules: await readDatabaseRules(), ...options });
  const { session, slot } = PAGE_CLAIMS;
  const sessions = Object.fromEntries(users.map((user) => [user, { [slot]: session }]));
  server.import({ [NAMESPACE]: { ...data, sessions } });
  return server;
}

/** Connects as a page of the user. */
export function connectPage(
  server: Pick<DatabaseServer, "host" | "port">,
  uid: string,
  claims: { name?: string; picture?: string } = {},
): TestClient {
  const firebase = { sign_in_provider: "custom" };
  return connectClient(server, uid, { ...claims, ...PAGE_CLAIMS, firebase });
}
