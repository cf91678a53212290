import { afterEach, expect, test, vi } from "vitest";

import { readEnv } from "#app/env.server.ts";
import { createUserDataService } from "#app/profile/deletion.server.ts";
import { createTestKey } from "#tests/support/private-key.ts";
import { SIMPLE_COLLECTIONS, USER_COLLECTIONS } from "#tests/support/user-data.ts";

// Checks the requests to the production databases. tests/profile/delete-account.test.ts uses the emulators.

const userData = createUserDataService(
  readEnv({
    SESSION_SECRET: "a secret that is at least 32 characters",
    FIREBASE_API_KEY: "key",
    FIREBASE_PROJECT_ID: "inkglade",
    FIREBASE_DATABASE_URL: "https://inkglade-default-rtdb.europe-west1.firebasedatabase.app",
    FIREBASE_CLIENT_EMAIL: "app@inkglade.iam.gserviceaccount.com",
    FIREBASE_PRIVATE_KEY: createTestKey(),
  }),
  null,
);
const user = { uid: "ana", idToken: "a.b.c" };
const DATABASE = "https://inkglade-default-rtdb.europe-west1.firebasedatabase.app";
const ROOT = "projects/inkglade/databases/(default)/documents";
const FIRESTORE = `https://firestore.googleapis.com/v1/${ROOT}`;

afterEach(() => vi.unstubAllGlobals());

interface CapturedRequest {
  method: string;
  url: string;
  authorization: string | null;
  body: unknown;
}

/** Stubs `fetch` with these numbers of documents per collection, and returns the requests it receives. */
function stubFetch(counts: Record<string, number>): CapturedRequest[] {
  const requests: CapturedRequest[] = [];
  vi.stubGlobal("fetch", async (input: string | URL, init: RequestInit) => {
    const request = new Request(input, init);
    const text = await request.text();
    const body: unknown = text ? JSON.parse(text) : undefined;
    const authorization = request.headers.get("Authorization");
    requests.push({ method: request.method, url: request.url, authorization, body });
    if (request.url.includes("/readerKeys/")) return Response.json(null);
    if (!request.url.endsWith(":runQuery")) {
      return Response.json({ commitTime: "2026-01-01T00:00:00Z" });
    }
    const parent = request.url.slice(FIRESTORE.length, -":runQuery".length);
    const [, collection = ""] = /"collectionId":"(\w+)"/.exec(text) ?? [];
    const names = Array.from({ length: counts[collection] ?? 0 }, (_, index) => ({
      document: {
        name: `${ROOT}${parent}/${collection}/${index}`,
        createTime: "2026-01-01T00:00:00Z",
        updateTime: "2026-01-01T00:00:00Z",
      },
    }));
    return Response.json([...names, { readTime: "2026-01-01T00:00:00Z" }]);
  });
  return requests;
}

function listDeleted(requests: CapturedRequest[]): string[] {
  const names = JSON.stringify(requests).matchAll(/"delete":"([^"]+)"/g);
  return Array.from(names, ([, name = ""]) => name.slice(ROOT.length + 1));
}

test("deletes everything that is stored about the user, with the user's own token", async () => {
  const requests = stubFetch({
    stories: 1,
    storyOwners: 1,
    versions: 1,
    messages: 1,
    edits: 1,
    ...Object.fromEntries(USER_COLLECTIONS.map((name) => [name, 1])),
  });

  expect(await userData.deletePermanently(user, "delete")).toEqual({ status: "done" });

  expect(listDeleted(requests)).toEqual([
    "users/ana/reads/0",
    "users/ana/limits/messages",
    "users/ana/limits/publications",
    "users/ana/limits/reports",
    "users/ana/limits/moderation",
    ...["stories/0/parts/0", "stories/0/parts/1", "stories/0/parts/2", "stories/0"],
    ...["storyOwners/0", "storyCounts/0"],
    ...["0/parts/0", "0/parts/1", "0/parts/2", "0"].map(
      (path) => `users/ana/drafts/0/versions/${path}`,
    ),
    ...["0/parts/0", "0/parts/1", "0/parts/2", "0"].map((path) => `users/ana/drafts/${path}`),
    ...SIMPLE_COLLECTIONS.map((name) => `users/ana/${name}/0`),
    "rooms/general/messages/0",
    "rooms/general/edits/0",
    "writers/ana",
    "users/ana/sessions/0",
  ]);
  const records = requests.filter(({ method }) => method === "PATCH");
  const documents = requests.filter(({ url }) => url.startsWith(FIRESTORE));
  expect(new Set(documents.map(({ url }) => url))).toEqual(
    new Set([
      `${FIRESTORE}:runQuery`,
      `${FIRESTORE}:commit`,
      `${FIRESTORE}/users/ana:runQuery`,
      `${FIRESTORE}/users/ana/drafts/0:runQuery`,
      `${FIRESTORE}/rooms/general:runQuery`,
    ]),
  );
  expect(documents.every(({ authorization }) => authorization === "Bearer a.b.c")).toBe(true);
  const presence = ["status/ana", "connections/ana", "typing/general/ana", "readingTogether/ana"];
  // Presence is deleted again for a tab that connects meanwhile.
  const again = ["sessions/ana", ...presence];
  const commits = [presence, ["uncounted/ana"], ["unseen/ana", "sessions/ana"], again];
  expect(records).toMatchObject(
    commits.map((paths) => ({
      url: `${DATABASE}/.json?auth=a.b.c`,
      authorization: null,
      body: Object.fromEntries(paths.map((path) => [path, null])),
    })),
  );
});

test("queries only the user's own documents in shared collections", async () => {
  const requests = stubFetch({});

  await userData.deletePermanently(user, "delete");

  const owner = { field: { fieldPath: "uid" }, op: "EQUAL", value: { stringValue: "ana" } };
  const shared = requests.filter(
    ({ url }) => url.endsWith(":runQuery") && !url.startsWith(`${FIRESTORE}/users/ana`),
  );
  expect(shared.map(({ body }) => body)).toMatchObject(
    ["stories", "storyOwners", "topics", "messages", "edits"].map((collectionId) => ({
      structuredQuery: { from: [{ collectionId }], where: { fieldFilter: owner } },
    })),
  );
});

test("makes a message anonymous without changing anything else", async () => {
  const requests = stubFetch({ messages: 1 });

  await userData.deletePermanently(user, "anonymous");

  const commits = requests.filter(({ url }) => url.endsWith(":commit"));
  // The first four commits delete the rate records.
  expect(commits[4]?.body).toMatchObject({
    writes: [
      {
        update: {
          name: `${ROOT}/rooms/general/messages/0`,
          fields: { displayName: { stringValue: "Anonymous" }, photoURL: { nullValue: null } },
        },
        updateMask: { fieldPaths: ["displayName", "photoURL"] },
      },
    ],
  });
});

test("stays below the Worker's subrequest limit and leaves the rest to the next request", async () => {
  const requests = stubFetch({ messages: 500 });

  expect(await userData.deletePermanently(user, "delete")).toMatchObject({
    status: "unfinished",
  });

  expect(requests).toHaveLength(40);
});
