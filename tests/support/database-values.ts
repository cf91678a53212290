import { LOCAL_PROJECT_ID } from "#emulator/local-project.ts";
import type { TestFirebase } from "./firebase.ts";

/** The app of a test, or its browser. */
interface WithFirebase {
  firebase: Pick<TestFirebase, "hosts">;
}

/** Returns a value of the Realtime Database, bypassing the rules; `null` for none. */
export function readDatabase(app: WithFirebase, path: string): Promise<unknown> {
  return send(app, path, {});
}

/** Sets a value of the Realtime Database, bypassing the rules. */
export async function writeDatabase(app: WithFirebase, path: string, value: unknown) {
  await send(app, path, { method: "PUT", body: JSON.stringify(value) });
}

async function send({ firebase }: WithFirebase, path: string, init: RequestInit): Promise<unknown> {
  const { FIREBASE_DATABASE_EMULATOR_HOST: host } = firebase.hosts;
  const url = `http://${host}/${path}.json?ns=${LOCAL_PROJECT_ID}-default-rtdb`;
  const response = await fetch(url, { ...init, headers: { Authorization: "Bearer owner" } });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}
