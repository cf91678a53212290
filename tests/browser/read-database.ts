import type { TestApp } from "./fixtures.ts";

/** Returns a value of the Realtime Database, bypassing the rules. */
export async function readDatabase({ firebase }: TestApp, path: string): Promise<unknown> {
  const host = firebase.hosts.FIREBASE_DATABASE_EMULATOR_HOST;
  const url = `http://${host}/${path}.json?ns=${firebase.projectId}-default-rtdb`;
  const response = await fetch(url, { headers: { Authorization: "Bearer owner" } });
  return response.json();
}
