import { get, onValue, ref, runTransaction, set } from "firebase/database";
import { expect, test } from "vitest";

import {
  collectWarnings,
  connectClient,
  NAMESPACE,
  openSocket,
  startTestDatabase,
} from "#tests/support/database.ts";

test("a transaction starts from the stored value, even if the client has not read it", async () => {
  await using server = await startTestDatabase();
  server.import({ [NAMESPACE]: { count: 5 } });
  await using client = connectClient(server);

  const result = await runTransaction(ref(client.db, "count"), addOne);

  expect([result.committed, result.snapshot.val()]).toEqual([true, 6]);
});

test("a transaction on a missing value starts from null", async () => {
  await using server = await startTestDatabase();
  await using client = connectClient(server);

  const result = await runTransaction(ref(client.db, "count"), addOne);

  expect([result.committed, result.snapshot.val()]).toEqual([true, 1]);
});

test("loses none of many concurrent transactions", async () => {
  await using server = await startTestDatabase();
  await using first = connectClient(server);
  await using second = connectClient(server);
  await using third = connectClient(server);
  const clients = [first, second, third];

  await Promise.all(
    Array.from({ length: 15 }, (_, index) => {
      const client = clients[index % clients.length] ?? first;
      return runTransaction(ref(client.db, "count"), addOne);
    }),
  );

  expect(server.export()).toEqual({ [NAMESPACE]: { count: 15 } });
});

test("an aborted transaction changes nothing", async () => {
  await using server = await startTestDatabase();
  server.import({ [NAMESPACE]: { count: 5 } });
  await using client = connectClient(server);

  // The client does not know the data yet, so the first result is rejected.
  const result = await runTransaction(ref(client.db, "count"), (count: number | null) =>
    count === null ? 1 : undefined,
  );

  expect(result.committed).toBe(false);
  expect(server.export()).toEqual({ [NAMESPACE]: { count: 5 } });
});

test("commits a transaction on data with priorities and lists", async () => {
  await using server = await startTestDatabase();
  const data = { list: ["a", "b"], deep: { ".value": 0.1, ".priority": "p" } };
  server.import({ [NAMESPACE]: { a: data } });
  await using client = connectClient(server);
  onValue(ref(client.db, "a"), () => undefined);
  await get(ref(client.db, "a"));

  const result = await runTransaction(ref(client.db, "a/list"), (list: string[] | null) => [
    ...(list ?? []),
    "c",
  ]);

  expect(result.snapshot.val()).toEqual(["a", "b", "c"]);
});

test("pushes the newer data before it rejects an outdated transaction", async () => {
  await using server = await startTestDatabase();
  server.import({ [NAMESPACE]: { count: 5 } });
  using socket = await openSocket(server);
  await socket.next();
  socket.send({ t: "d", d: { r: 1, a: "q", b: { p: "/count", h: "" } } });
  await socket.next();
  await socket.next();
  await using winner = connectClient(server);
  await set(ref(winner.db, "count"), 6);

  socket.send({ t: "d", d: { r: 2, a: "p", b: { p: "/count", d: 7, h: "not the hash of 6" } } });

  expect(await socket.next()).toEqual({ t: "d", d: { a: "d", b: { p: "count", d: 6 } } });
  expect(await socket.next()).toMatchObject({ d: { r: 2, b: { s: "datastale" } } });
});

test("undoes and rejects a transaction that the rules deny", async () => {
  const rules = '{"rules": {".read": true, "count": {".write": "newData.val() < 3"}}}';
  await using server = await startTestDatabase({ rules });
  await using client = connectClient(server);
  using warnings = collectWarnings();
  const seen: unknown[] = [];
  onValue(ref(client.db, "count"), (snapshot) => seen.push(snapshot.val()));
  await expect.poll(() => seen).toEqual([null]);

  await expect(runTransaction(ref(client.db, "count"), () => 3)).rejects.toThrow(
    "permission_denied",
  );

  expect(seen.at(-1)).toBeNull();
  expect(warnings.texts.join()).toContain("permission_denied");
});

function addOne(count: number | null): number {
  return (count ?? 0) + 1;
}
