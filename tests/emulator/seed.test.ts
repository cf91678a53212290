import { expect, test } from "vitest";

import { startFirebase as launchFirebase } from "#emulator/firebase.ts";
import { readFirebaseJson } from "#emulator/firebase-json.ts";
import type { FirebaseHosts } from "#emulator/hosts.ts";
import { describeLaunchError } from "#emulator/launch-error.ts";
import { LOCAL_PROJECT_ID } from "#emulator/local-project.ts";
import { seed } from "#emulator/seed.ts";

const ANA = { email: "ana@example.com", password: "inkglade" };

test("running servers that are empty get the demo accounts and messages once", async () => {
  await using running = await launch({});
  const { FIREBASE_AUTH_EMULATOR_HOST, FIRESTORE_EMULATOR_HOST } = running.hosts;
  const hosts = { FIREBASE_AUTH_EMULATOR_HOST, FIRESTORE_EMULATOR_HOST };
  const messages = `http://${FIRESTORE_EMULATOR_HOST}/v1/projects/${LOCAL_PROJECT_ID}/databases/(default)/documents/rooms/general/messages`;

  for (const _start of ["first", "second"]) {
    await using firebase = await launch(hosts);
    if (firebase.isNew) await seed(firebase);
    expect(await callAuth(hosts, "signInWithPassword", ANA)).toMatchObject({ localId: "ana" });
    const { documents } = await fetchJson(messages, {});
    expect(documents).toHaveLength(4);
  }
});

test("an Auth server with accounts gets no others", async () => {
  await using running = await launch({});
  await callAuth(running.hosts, "signUp", { ...ANA, email: "eve@example.com" });

  await seed(running);

  await expect(callAuth(running.hosts, "signInWithPassword", ANA)).rejects.toThrow(
    "EMAIL_NOT_FOUND",
  );
});

test("says in one sentence which server does not respond", async () => {
  await using firebase = await launch({ FIRESTORE_EMULATOR_HOST: "127.0.0.1:1" });

  const error = await seed(firebase).catch(describeLaunchError);

  expect(error).toBe("No server responds at 127.0.0.1:1.");
});

async function launch(existingHosts: Partial<FirebaseHosts>) {
  return await launchFirebase({
    ...(await readFirebaseJson("firebase.json")),
    ports: { auth: 0, firestore: 0, database: 0 },
    projectId: LOCAL_PROJECT_ID,
    existingHosts,
  });
}

function callAuth(hosts: Partial<FirebaseHosts>, method: string, body: object) {
  const auth = `http://${hosts.FIREBASE_AUTH_EMULATOR_HOST}/identitytoolkit.googleapis.com/v1`;
  return fetchJson(`${auth}/accounts:${method}?key=local`, {
    method: "POST",
    body: JSON.stringify(body),
  });
}

async function fetchJson(url: string, init: RequestInit): Promise<Record<string, unknown>> {
  const headers = { authorization: "Bearer owner", "content-type": "application/json" };
  const response = await fetch(url, { ...init, headers });
  const json: unknown = await response.json();
  if (!response.ok) throw new Error(JSON.stringify(json));
  return { ...(json as object) };
}
