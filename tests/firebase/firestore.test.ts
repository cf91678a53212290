import { inspect } from "node:util";

import { expect, test, vi } from "vitest";

import { readEnv } from "#app/env.server.ts";
import {
  FailedPreconditionError,
  FirestoreError,
  PermissionDeniedError,
  UnauthenticatedError,
} from "#app/firebase/firestore-error.server.ts";
import type { Firestore, QueryOptions, Write } from "#app/firebase/firestore-types.ts";
import { asUser } from "#app/firebase/firestore.server.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { getLocalVariables } from "#emulator/local-project.ts";
import { expectConsoleError } from "#tests/support/console.ts";
import { isGoogleFirestore, startFirebase, type TestFirebase } from "#tests/support/firebase.ts";
import { sendJson, startServer } from "#tests/support/server.ts";

const POSITION = { title: "Orchard", paragraph: "p-1", start: "That", offset: 3, number: 2 };

const toEnv = (hosts: TestFirebase["hosts"]) =>
  readEnv({
    SESSION_SECRET: "a secret that is at least 32 characters",
    ...getLocalVariables(hosts),
  });

const toFakeEnv = (host: string) =>
  toEnv({
    FIREBASE_AUTH_EMULATOR_HOST: host,
    FIRESTORE_EMULATOR_HOST: host,
    FIREBASE_DATABASE_EMULATOR_HOST: host,
    GOOGLE_EMULATOR_HOST: host,
  });

/** Starts a local Firebase, and returns its Firestore as a new user. */
async function startUser() {
  const firebase = await startFirebase();
  const account = await firebase.addAccount();
  const env = toEnv(firebase.hosts);
  const collection = `users/${account.localId}/places`;
  return {
    env,
    collection,
    firestore: asUser(env, account),
    write: (story: string, time: number): Write => ({
      path: `${collection}/${story}`,
      fields: { ...POSITION, percent: 60, minutesLeft: 1, time },
    }),
    [Symbol.asyncDispose]: () => firebase[Symbol.asyncDispose](),
  };
}

/** Returns Firestore as a user, on a server that responds as the test defines. */
async function startFake(respond: Parameters<typeof startServer>[0]) {
  const server = await startServer(respond);
  const firestore = asUser(toFakeEnv(server.host), { idToken: "a secret token" });
  return { firestore, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

type Call = (
  firestore: Firestore,
  options?: { timeoutMs?: number; signal?: AbortSignal },
) => unknown;

const CALLS: [method: string, call: Call][] = [
  ["get", (firestore, options) => firestore.get("stories/orchard", options)],
  ["batchGet", (firestore, options) => firestore.batchGet(["stories/orchard"], options)],
  ["query", (firestore, options) => firestore.query("stories", { limit: 1 }, options)],
  [
    "commit",
    (firestore, options) => firestore.commit([{ path: "stories/orchard", delete: true }], options),
  ],
];

test("returns a document with its id, path, fields and time", async () => {
  await using user = await startUser();
  const { writes } = await user.firestore.commit([user.write("orchard", 1000)]);

  expect(await user.firestore.get(`${user.collection}/orchard`)).toEqual({
    id: "orchard",
    path: `${user.collection}/orchard`,
    fields: { ...POSITION, percent: 60, minutesLeft: 1, time: 1000 },
    createTime: writes[0]?.updateTime,
    updateTime: writes[0]?.updateTime,
  });
});

test("returns null for a document that does not exist", async () => {
  await using user = await startUser();

  expect(await user.firestore.get(`${user.collection}/orchard`)).toBeNull();
});

test("returns several documents in the order of their paths, and the database's time", async () => {
  await using user = await startUser();
  await user.firestore.commit([user.write("orchard", 1000), user.write("clockmaker", 2000)]);

  const paths = ["clockmaker", "missing", "orchard"].map((id) => `${user.collection}/${id}`);
  const { documents, readTime } = await user.firestore.batchGet(paths);

  expect(documents.map((document) => document?.fields.time)).toEqual([2000, undefined, 1000]);
  expect(documents[1]).toBeNull();
  expect(Math.abs(readTime.getTime() - Date.now())).toBeLessThan(5000);
});

test("queries a collection by conditions, order and limit", async () => {
  await using user = await startUser();
  const stories = ["a", "b", "c", "d"];
  await user.firestore.commit(stories.map((id, index) => user.write(id, index)));
  const getIds = async (query: QueryOptions) =>
    (await user.firestore.query(user.collection, query)).map(({ id }) => id);

  expect(await getIds({ limit: 10 })).toEqual(stories);
  expect(await getIds({ orderBy: ["time", "desc"], limit: 2 })).toEqual(["d", "c"]);
  expect(await getIds({ where: [["time", ">=", 2]], orderBy: ["time"], limit: 9 })).toEqual([
    "c",
    "d",
  ]);
  const between = [
    ["time", ">", 0],
    ["time", "<", 3],
  ] as const;
  expect(await getIds({ where: between, orderBy: ["time"], limit: 9 })).toEqual(["b", "c"]);
  expect(await getIds({ where: [["title", "==", "None"]], limit: 9 })).toEqual([]);
  expect(await getIds({ startAfter: `${user.collection}/b`, limit: 9 })).toEqual(["c", "d"]);
  expect(await getIds({ startAfter: `${user.collection}/b`, limit: 1 })).toEqual(["c"]);
});

test("continues an ordered query after a document, even among equal values", async () => {
  await using user = await startUser();
  const times = { a: 1, b: 2, c: 2, d: 2, e: 3 };
  await user.firestore.commit(Object.entries(times).map(([id, time]) => user.write(id, time)));
  const getIds = async (direction: "asc" | "desc", value: number, id: string) => {
    const startAfter = [value, `${user.collection}/${id}`] as const;
    const query = { orderBy: ["time", direction], startAfter, limit: 9 } as const;
    return (await user.firestore.query(user.collection, query)).map((document) => document.id);
  };

  expect(await getIds("desc", 2, "c")).toEqual(["b", "a"]);
  expect(await getIds("asc", 2, "c")).toEqual(["d", "e"]);
  expect(await getIds("desc", 2, "deleted")).toEqual(["d", "c", "b", "a"]);
  expect(await getIds("desc", 1, "a")).toEqual([]);
});

test("queries keys without their fields", async () => {
  await using user = await startUser();
  await user.firestore.commit([user.write("orchard", 1)]);

  const [document] = await user.firestore.query(user.collection, { limit: 1, isKeysOnly: true });

  expect(document).toMatchObject({ path: `${user.collection}/orchard`, fields: {} });
});

test("returns what a commit has set, as it is stored", async () => {
  await using user = await startUser();
  const path = user.collection.replace("places", "drafts/01234567890123456789");
  const draft = {
    title: "",
    description: "",
    tags: [],
    cover: null,
    words: 0,
    parts: 1,
    revision: 1,
    deletedAt: null,
    storyId: null,
    publishedRevision: null,
    publishedAt: null,
  };
  const times = ["updatedAt", "createdAt", "versionedAt"];

  const result = await user.firestore.commit([
    { path, fields: draft, serverTimestamps: times, exists: false },
    { path: `${path}/parts/0`, fields: { text: "" } },
    { path: `${path}/parts/1`, delete: true },
  ]);

  const stored = await user.firestore.get(path);
  const [write, , deletion] = result.writes;
  expect(stored?.fields).toEqual({ ...draft, ...write?.serverTimestamps });
  expect(Object.keys(write?.serverTimestamps ?? {})).toEqual(times);
  expect(stored?.updateTime).toBe(write?.updateTime);
  expect(deletion).toEqual({ updateTime: undefined, serverTimestamps: {} });
});

test("makes none of the writes when one is denied", async () => {
  await using user = await startUser();
  const forbidden = { path: `${user.collection}/bad`, fields: { title: 1 } };

  const commit = user.firestore.commit([user.write("orchard", 1000), forbidden]);

  await expect(commit).rejects.toThrow(PermissionDeniedError);
  expect(await user.firestore.get(`${user.collection}/orchard`)).toBeNull();
});

test("makes none of the writes when a document has changed since it was read", async () => {
  await using user = await startUser();
  const stories = ["orchard", "clockmaker"];
  const paths = stories.map((story) => `${user.collection}/${story}`);
  const getTimes = async () =>
    (await user.firestore.batchGet(paths)).documents.map((document) => document?.fields.time);
  const remove = (updateTime: string | undefined) =>
    user.firestore.commit(paths.map((path) => ({ path, delete: true, updateTime })));
  const { writes } = await user.firestore.commit(stories.map((story) => user.write(story, 1000)));
  const second = await user.firestore.commit(stories.map((story) => user.write(story, 2000)));

  await expect(remove(writes[0]?.updateTime)).rejects.toThrow(FailedPreconditionError);
  expect(await getTimes()).toEqual([2000, 2000]);

  await remove(second.writes[0]?.updateTime);
  expect(await getTimes()).toEqual([undefined, undefined]);
});

test.each([
  ["must not exist but does", "orchard", false],
  ["must exist but does not", "missing", true],
])("rejects a write of a document that %s", async (_, story, exists) => {
  await using user = await startUser();
  await user.firestore.commit([user.write("orchard", 1000)]);

  const commit = user.firestore.commit([{ ...user.write(story, 2000), exists }]);

  // Google's emulator asks the rules first, which allow no update of a missing document.
  const error = exists && isGoogleFirestore ? PermissionDeniedError : FailedPreconditionError;
  await expect(commit).rejects.toThrow(error);
});

test("rejects requests that the rules do not allow", async () => {
  expectConsoleError();
  await using user = await startUser();
  const path = `${user.collection}/orchard`;
  const anyone = asUser(user.env, null);

  await expect(anyone.get(path)).rejects.toThrow(PermissionDeniedError);
  await expect(anyone.batchGet([path])).rejects.toThrow(PermissionDeniedError);
  await expect(anyone.query(user.collection, { limit: 1 })).rejects.toThrow(PermissionDeniedError);
  await expect(anyone.commit([user.write("orchard", 1)])).rejects.toThrow(PermissionDeniedError);
});

test("reads public documents without a user", async () => {
  await using user = await startUser();

  expect(await asUser(user.env, null).query("stories", { limit: 1 })).toEqual([]);
});

test.each(CALLS)("rejects an invalid ID token for %s", async (method, call) => {
  if (method !== "commit") expectConsoleError();
  await using user = await startUser();

  const error = isGoogleFirestore ? "invalid jwt" : UnauthenticatedError;
  await expect(call(asUser(user.env, { idToken: "not a token" }))).rejects.toThrow(error);
});

test.each(CALLS)("makes no request for %s without a valid ID token", async (_, call) => {
  let requests = 0;
  await using fake = await startServer((response) => {
    requests += 1;
    sendJson(response, 200, {});
  });

  await expect(call(asUser(toFakeEnv(fake.host), { idToken: null }))).rejects.toThrow(
    UnavailableError,
  );
  expect(requests).toBe(0);
});

test.each(
  CALLS.flatMap(([method, call]) =>
    [500, 502, 503, 429].map((status) => ({ method, call, status })),
  ),
)("$method is unavailable when Firestore responds with $status", async ({ call, status }) => {
  expectConsoleError();
  await using fake = await startFake((response) => {
    sendJson(response, status, { error: { code: status, message: "Busy", status: "BUSY" } });
  });

  await expect(call(fake.firestore)).rejects.toThrow(UnavailableError);
});

test.each(CALLS)("%s is unavailable when an error is not JSON", async (_, call) => {
  expectConsoleError();
  await using fake = await startFake((response) => response.writeHead(502).end("<h1>Oops</h1>"));

  await expect(call(fake.firestore)).rejects.toThrow(UnavailableError);
});

test.each(CALLS)("%s is unavailable when a response cannot be parsed", async (_, call) => {
  expectConsoleError();
  const bodies = ["<h1>Sign in to the Wi-Fi</h1>", '{"writeResults"', "{}", '["x"]'];
  await using fake = await startFake((response) => response.writeHead(200).end(bodies.pop()));

  for (const body of bodies.slice()) {
    await expect(call(fake.firestore), body).rejects.toThrow(UnavailableError);
  }
});

test.each(CALLS)("%s is unavailable when the connection breaks", async (_, call) => {
  expectConsoleError();
  await using fake = await startFake((response) => response.destroy());

  await expect(call(fake.firestore)).rejects.toThrow(UnavailableError);
});

test.each(CALLS)("%s is unavailable after the timeout", async (_, call) => {
  expectConsoleError();
  await using fake = await startFake(() => {});

  await expect(call(fake.firestore, { timeoutMs: 30 })).rejects.toThrow(UnavailableError);
});

test.each(CALLS)(
  "%s is unavailable when only part of a response arrives before the timeout",
  async (_, call) => {
    expectConsoleError();
    await using fake = await startFake((response) => response.writeHead(200).write("["));

    await expect(call(fake.firestore, { timeoutMs: 50 })).rejects.toThrow(UnavailableError);
  },
);

test.each(CALLS)(
  "%s rejects with the caller's reason when the caller aborts it",
  async (_, call) => {
    const controller = new AbortController();
    const reason = new Error("The page is gone");
    await using fake = await startFake(() => controller.abort(reason));

    await expect(call(fake.firestore, { signal: controller.signal })).rejects.toBe(reason);
  },
);

test("recognizes an error that ends a list of documents", async () => {
  expectConsoleError();
  const errors = [
    { error: { code: 403, message: "No", status: "PERMISSION_DENIED" } },
    { error: { code: 503, message: "Busy", status: "UNAVAILABLE" } },
  ];
  await using fake = await startFake((response) => {
    sendJson(response, 200, [{ readTime: "2026-01-01T00:00:00Z" }, errors.shift()]);
  });

  const query = () => fake.firestore.query("stories", { limit: 1 });
  await expect(query()).rejects.toThrow(PermissionDeniedError);
  await expect(query()).rejects.toThrow(UnavailableError);
});

test.each([
  [401, UnauthenticatedError],
  [403, PermissionDeniedError],
  [404, FailedPreconditionError],
  [409, FailedPreconditionError],
  [400, FirestoreError],
  [418, FirestoreError],
])(
  "rejects a commit with the error of the status %i when the response has no code",
  async (status, type) => {
    await using fake = await startFake((response) => response.writeHead(status).end());

    const commit = fake.firestore.commit([{ path: "stories/orchard", delete: true }]);

    await expect(commit).rejects.toThrow(type);
  },
);

test("logs what failed, but never the token or the data", async () => {
  expectConsoleError();
  await using fake = await startFake((response) => sendJson(response, 503, {}));

  const commit = fake.firestore.commit([{ path: "stories/orchard", fields: { title: "Private" } }]);
  await expect(commit).rejects.toThrow(UnavailableError);
  await expect(fake.firestore.get("stories/quiet", { isLogged: false })).rejects.toThrow();

  const logged = inspect(vi.mocked(console.error).mock.calls, { depth: null });
  expect(logged).toContain("commit");
  expect(logged).not.toMatch(/secret token|Private|could not get/);
});
