import { get, goOffline, goOnline, onValue, push, ref, set } from "firebase/database";
import { expect, test } from "vitest";

import { connectClient, NAMESPACE, startTestDatabase } from "#tests/support/database.ts";

// The SDK waits up to a second before it reconnects.

test("a client reconnects to a restarted server, and unchanged data raises no event", async () => {
  const first = await startTestDatabase();
  first.import({ [NAMESPACE]: { same: { deep: [1, 2] }, other: 1 } });
  await using client = connectClient(first);
  const seen: unknown[] = [];
  onValue(ref(client.db, "same"), (snapshot) => seen.push(snapshot.val()));
  onValue(ref(client.db, "other"), (snapshot) => seen.push(snapshot.val()));
  await expect.poll(() => seen).toHaveLength(2);
  const saved = first.export();
  await first.close();

  await using second = await startTestDatabase({ port: first.port });
  second.import(saved);
  await using writer = connectClient(second);
  await set(ref(writer.db, "other"), 2);

  await expect.poll(() => seen).toHaveLength(3);
  expect(seen).toEqual([{ deep: [1, 2] }, 1, 2]);
});

test("sends offline writes after reconnecting", async () => {
  await using server = await startTestDatabase();
  await using client = connectClient(server);
  await get(ref(client.db, "a"));
  goOffline(client.db);

  const written = set(ref(client.db, "a"), 1);
  expect(server.export()).toEqual({});
  goOnline(client.db);
  await written;

  expect(server.export()).toEqual({ [NAMESPACE]: { a: 1 } });
});

test("receives the writes of other clients after reconnecting", async () => {
  await using server = await startTestDatabase();
  await using reader = connectClient(server);
  await using writer = connectClient(server);
  const seen: unknown[] = [];
  onValue(ref(reader.db, "list"), (snapshot) => seen.push(snapshot.size));
  await expect.poll(() => seen).toEqual([0]);
  goOffline(reader.db);

  await push(ref(writer.db, "list"), "one");
  await push(ref(writer.db, "list"), "two");
  goOnline(reader.db);

  await expect.poll(() => seen).toEqual([0, 2]);
});

test("clients reconnect after the server has stopped", async () => {
  const server = await startTestDatabase();
  await using client = connectClient(server);
  const connected: unknown[] = [];
  onValue(ref(client.db, ".info/connected"), (snapshot) => connected.push(snapshot.val()));
  await expect.poll(() => connected.at(-1)).toBe(true);

  await server.close();
  await expect.poll(() => connected.at(-1)).toBe(false);
  await using again = await startTestDatabase({ port: server.port });

  await expect.poll(() => connected.at(-1)).toBe(true);
  expect(again.port).toBe(server.port);
});
