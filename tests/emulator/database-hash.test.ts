import { onValue, ref, runTransaction, type Database } from "firebase/database";
import { expect, test } from "vitest";

import {
  connectClient,
  createRandom,
  NAMESPACE,
  openSocket,
  createRandomTree,
  startTestDatabase,
} from "#tests/support/database.ts";

test.each<[unknown, string]>([
  [true, "E5z61QM0lN/U2WsOnusszCTkR8M="],
  [false, "aSSNoqcS4oQwJ2xxH20rvpp3zP0="],
  [0, "7ysMph9WPitGP7poMnMHMVPtUlI="],
  [1, "YPVfR2bXt/lcDjiQZ8pOkAd3qkQ="],
  [-0.1, "oitgJDeppZIiewMsaFVmsuLwrEc="],
  ["", "Ki0Xy0V6morg0TO3Sxi/jwugYDQ="],
  ["é😀", "z5EhWwfWbdCO10sZHK3vEDoZoOI="],
  [1_700_000_000_000, "vzg0cpxiAeqQeyjkTe0gblJSTn8="],
  [{ ".value": 1, ".priority": 3 }, "5O5lGh3+M+PjYbuBNGzQ3M+hzQ4="],
  [{ u1: true }, "pe8X6UYTIgvzLCAgDrmsQKjkha0="],
  [{ 2: 1, 10: 1, a: 1 }, "3Cw5i6/5RxJXNXczNNSVapD1KU4="],
  [
    { a: { ".value": 1, ".priority": 2 }, b: { ".value": 1, ".priority": 1 } },
    "Hbshog8epOUNdSPDO3e8VIoAsfw=",
  ],
  [{ a: { x: 1 }, ".priority": "p" }, "W0sKM69D+GLCuetSmIMR8F0qt4I="],
  [null, ""],
])("does not send %j again to a client that sends its hash", async (data, h) => {
  await using server = await startTestDatabase();
  server.import({ [NAMESPACE]: { a: data } });
  using socket = await openSocket(server);
  await socket.next();

  socket.send({ t: "d", d: { r: 1, a: "q", b: { p: "/a", h } } });

  expect(await socket.next()).toEqual({ t: "d", d: { r: 1, b: { s: "ok", d: {} } } });
});

test("computes the same hash as the SDK for random data", async () => {
  await using server = await startTestDatabase();
  await using client = connectClient(server);
  const random = createRandom(1);

  for (let round = 0; round < 100; round += 1) {
    server.import({ [NAMESPACE]: { a: createRandomTree(random, 4), marker: round } });
    await waitForRound(client.db, round);
    let runs = 0;
    // A transaction on cached data runs once, unless the SDK's hash differs from the server's.
    const stop = onValue(ref(client.db, "a"), () => undefined);
    await runTransaction(ref(client.db, "a"), (current: unknown) => {
      runs += 1;
      return current;
    });
    stop();
    expect(runs).toBe(1);
  }
});

/** Resolves when the client has received the data of a round. */
function waitForRound(db: Database, round: number): Promise<void> {
  return new Promise((resolve) => {
    onValue(ref(db), (snapshot) => {
      if (snapshot.child("marker").val() === round) resolve();
    });
  });
}
