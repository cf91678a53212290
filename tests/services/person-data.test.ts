import { afterEach, expect, test, vi } from "vitest";

import { readEnv } from "#app/services/env.server.ts";
import { createPersonDataService } from "#app/services/person-data.server.ts";

// What production's databases are asked; tests/routes/delete-account.test.ts has the local ones answer.

const personData = createPersonDataService(
  readEnv({
    SESSION_SECRET: "a secret that is at least 32 characters",
    FIREBASE_API_KEY: "key",
    FIREBASE_PROJECT_ID: "inkglade",
    FIREBASE_DATABASE_URL: "https://inkglade-default-rtdb.europe-west1.firebasedatabase.app",
    FIREBASE_CLIENT_EMAIL: "app@inkglade.iam.gserviceaccount.com",
    FIREBASE_PRIVATE_KEY: "-----BEGIN PRIVATE KEY-----",
  }),
);
const person = { uid: "ana", idToken: "a.b.c" };
const DATABASE = "https://inkglade-default-rtdb.europe-west1.firebasedatabase.app";
const FIRESTORE =
  "https://firestore.googleapis.com/v1/projects/inkglade/databases/(default)/documents";
const MESSAGE = "projects/inkglade/databases/(default)/documents/rooms/general/messages/one";

afterEach(() => vi.unstubAllGlobals());

interface Call {
  method: string;
  url: string;
  authorization: string | null;
  body: unknown;
}

/** Finds `found` messages per query, and returns what was asked. */
function answerWith(found: (query: number) => number): Call[] {
  const calls: Call[] = [];
  let queries = 0;
  vi.stubGlobal("fetch", async (input: string | URL, init: RequestInit) => {
    const request = new Request(input, init);
    const text = await request.text();
    calls.push({
      method: request.method,
      url: request.url,
      authorization: request.headers.get("Authorization"),
      body: text && JSON.parse(text),
    });
    if (!request.url.endsWith(":runQuery")) return Response.json({});
    // Of what else a person has there is nothing.
    if (!request.url.includes("/rooms/"))
      return Response.json([{ readTime: "2026-01-01T00:00:00Z" }]);
    queries += 1;
    const documents = Array.from({ length: found(queries) }, () => ({
      document: { name: MESSAGE },
    }));
    return Response.json([...documents, { readTime: "2026-01-01T00:00:00Z" }]);
  });
  return calls;
}

test("messages, drafts and places are deleted as the person, then what the other database has of them", async () => {
  const calls = answerWith(() => 1);

  expect(await personData.erase(person, "delete")).toBe("done");

  expect(calls).toMatchObject([
    {
      method: "POST",
      url: `${FIRESTORE}/rooms/general:runQuery`,
      authorization: "Bearer a.b.c",
      body: { structuredQuery: { from: [{ collectionId: "messages" }], limit: 500 } },
    },
    {
      method: "POST",
      url: `${FIRESTORE}:commit`,
      authorization: "Bearer a.b.c",
      body: { writes: [{ delete: MESSAGE }] },
    },
    { body: { structuredQuery: { from: [{ collectionId: "drafts" }] } } },
    {
      url: `${FIRESTORE}/users/ana:runQuery`,
      body: { structuredQuery: { from: [{ collectionId: "places" }] } },
    },
    { method: "DELETE", url: `${DATABASE}/status/ana.json?auth=a.b.c`, authorization: null },
    {
      method: "DELETE",
      url: `${DATABASE}/typing/general/ana.json?auth=a.b.c`,
      authorization: null,
    },
  ]);
});

test("a name is taken off, and nothing else is touched", async () => {
  const calls = answerWith(() => 1);

  await personData.erase(person, "anonymous");

  expect(calls[1]?.body).toEqual({
    writes: [
      {
        update: {
          name: MESSAGE,
          fields: { displayName: { stringValue: "Anonymous" }, photoURL: { nullValue: null } },
        },
        updateMask: { fieldPaths: ["displayName", "photoURL"] },
        currentDocument: { exists: true },
      },
    ],
  });
});

test("one request asks no more than a Worker may, and leaves the rest to the next", async () => {
  const calls = answerWith(() => 500);

  expect(await personData.erase(person, "delete")).toBe("unfinished");

  expect(calls).toHaveLength(36);
});
