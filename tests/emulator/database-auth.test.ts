import { get, onValue, ref, set, type DatabaseReference } from "firebase/database";
import { expect, test } from "vitest";

import {
  collectWarnings,
  connectClient,
  createToken,
  NAMESPACE,
  openSocket,
  startTestDatabase,
} from "#tests/support/database.ts";

const SIGNED_IN = '{"rules": {".read": "auth != null", "$uid": {".write": "auth.uid === $uid"}}}';

test("allows a signed-in user to do what the rules allow", async () => {
  await using server = await startTestDatabase({ rules: SIGNED_IN });
  await using ada = connectClient(server, "ada");
  using _warnings = collectWarnings();

  await set(ref(ada.db, "ada"), 1);

  await expect(set(ref(ada.db, "bob"), 1)).rejects.toThrow("PERMISSION_DENIED");
  expect((await get(ref(ada.db))).val()).toEqual({ ada: 1 });
});

test("denies access to a client that is not signed in, and cancels the listener", async () => {
  await using server = await startTestDatabase({ rules: SIGNED_IN });
  await using client = connectClient(server);
  using _warnings = collectWarnings();

  const error = await new Promise<Error>((resolve) =>
    onValue(ref(client.db), () => undefined, resolve),
  );

  expect(error).toMatchObject({ code: "PERMISSION_DENIED" });
  await expect(get(ref(client.db))).rejects.toThrow("Permission denied");
});

test("undoes a denied write in the writer's own view", async () => {
  const rules = '{"rules": {".read": true}}';
  await using server = await startTestDatabase({ rules });
  server.import({ [NAMESPACE]: { a: 1 } });
  await using client = connectClient(server);
  using _warnings = collectWarnings();
  const seen: unknown[] = [];
  onValue(ref(client.db, "a"), (snapshot) => seen.push(snapshot.val()));
  await expect.poll(() => seen).toEqual([1]);

  await expect(set(ref(client.db, "a"), 2)).rejects.toThrow("PERMISSION_DENIED");

  expect(seen).toEqual([1, 2, 1]);
});

test("does not apply the rules to an administrator", async () => {
  await using server = await startTestDatabase({ rules: '{"rules": {}}' });
  await using owner = connectClient(server, "owner");

  await set(ref(owner.db, "a"), 1);

  expect((await get(ref(owner.db, "a"))).val()).toBe(1);
});

test("allows an administrator, and nobody else, to act as another user", async () => {
  await using server = await startTestDatabase({ rules: SIGNED_IN });
  using socket = await openSocket(server);
  await socket.next();

  socket.send({ t: "d", d: { r: 1, a: "gauth", b: { cred: "owner", authvar: { uid: "ada" } } } });
  socket.send({ t: "d", d: { r: 2, a: "p", b: { p: "/ada", d: 1 } } });
  socket.send({ t: "d", d: { r: 3, a: "p", b: { p: "/bob", d: 1 } } });

  expect(await socket.next()).toMatchObject({ d: { r: 1, b: { s: "ok" } } });
  expect(await socket.next()).toMatchObject({ d: { r: 2, b: { s: "ok" } } });
  expect(await socket.next()).toMatchObject({ d: { r: 3, b: { s: "permission_denied" } } });

  const cred = createToken("bob");
  socket.send({ t: "d", d: { r: 4, a: "gauth", b: { cred, authvar: { uid: "ada" } } } });
  socket.send({ t: "d", d: { r: 5, a: "p", b: { p: "/ada", d: 2 } } });

  expect(await socket.next()).toMatchObject({ d: { r: 4, b: { s: "ok" } } });
  expect(await socket.next()).toMatchObject({ d: { r: 5, b: { s: "permission_denied" } } });
});

test("accepts an expired token, and responds with its claims", async () => {
  await using server = await startTestDatabase();
  using socket = await openSocket(server);
  await socket.next();
  const cred = createToken("ada", { exp: 3600, firebase: { sign_in_provider: "google.com" } });

  socket.send({ t: "d", d: { r: 1, a: "auth", b: { cred } } });

  expect(await socket.next()).toMatchObject({
    d: {
      r: 1,
      b: {
        s: "ok",
        d: { auth: { uid: "ada", provider: "google.com", token: { sub: "ada" } }, expires: 3600 },
      },
    },
  });
});

test.each(["junk", "a.b.c", "", `x.${Buffer.from("{}").toString("base64url")}.`])(
  "rejects the token %j",
  async (cred) => {
    await using server = await startTestDatabase();
    using socket = await openSocket(server);
    await socket.next();

    socket.send({ t: "d", d: { r: 1, a: "gauth", b: { cred } } });

    expect(await socket.next()).toEqual({
      t: "d",
      d: { r: 1, b: { s: "invalid_token", d: "Could not parse auth token." } },
    });
  },
);

test("signing out ends the default and filtered listens that need a user", async () => {
  await using server = await startTestDatabase({ rules: SIGNED_IN });
  using socket = await openSocket(server);
  await socket.next();
  const q = { l: 1, vf: "r", i: ".key" };
  socket.send({ t: "d", d: { r: 1, a: "auth", b: { cred: createToken("ada") } } });
  socket.send({ t: "d", d: { r: 2, a: "q", b: { p: "/a", h: "" } } });
  socket.send({ t: "d", d: { r: 3, a: "q", b: { p: "/b", q, t: 2, h: "" } } });
  for (const r of [1, 2, 3])
    expect(await socket.next()).toMatchObject({ d: { r, b: { s: "ok" } } });

  socket.send({ t: "d", d: { r: 4, a: "unauth", b: {} } });

  expect(await socket.next()).toEqual({ t: "d", d: { a: "c", b: { p: "a" } } });
  expect(await socket.next()).toEqual({ t: "d", d: { a: "c", b: { p: "b", q: [q] } } });
  expect(await socket.next()).toMatchObject({ d: { r: 4, b: { s: "ok", d: "unauthenticated" } } });
});

test("cancels a listener when a write or new rules deny it", async () => {
  const rules =
    '{"rules": {".write": true, "a": {".read": "data.child(\'open\').val() === true"}}}';
  await using server = await startTestDatabase({ rules });
  server.import({ [NAMESPACE]: { a: { open: true } } });
  await using client = connectClient(server);
  using _warnings = collectWarnings();
  const path = ref(client.db, "a");

  const first = listen(path);
  await first.received;
  await set(ref(client.db, "a/open"), false);
  expect(await first.cancelled).toMatchObject({ code: "PERMISSION_DENIED" });

  await set(ref(client.db, "a/open"), true);
  const second = listen(path);
  await second.received;
  server.setRules('{"rules": {}}');
  expect(await second.cancelled).toMatchObject({ code: "PERMISSION_DENIED" });
});

function listen(path: DatabaseReference): { received: Promise<void>; cancelled: Promise<Error> } {
  let onCancelled: (error: Error) => void;
  const cancelled = new Promise<Error>((resolve) => {
    onCancelled = resolve;
  });
  const received = new Promise<void>((resolve) => {
    onValue(
      path,
      () => resolve(),
      (error) => onCancelled(error),
    );
  });
  return { received, cancelled };
}
