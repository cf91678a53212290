import { expect, test } from "vitest";

import { readEnv } from "#app/env.server.ts";
import { commit } from "#app/firebase/commit.server.ts";
import { readSnapshot } from "#app/firebase/documents.server.ts";
import type { Write } from "#app/firebase/firestore-types.ts";
import { localVariables } from "#emulator/local-project.ts";
import { startFirebase } from "#tests/support/firebase.ts";

const place = { title: "Orchard", paragraph: "p-1", start: "That", offset: 3, number: 2 };

test("what was changed since it was looked at is not deleted, nor anything with it", async () => {
  await using firebase = await startFirebase();
  const env = readEnv({
    SESSION_SECRET: "a secret that is at least 32 characters",
    ...localVariables(firebase.hosts),
  });
  const { localId, idToken } = await firebase.addAccount();
  const paths = ["orchard", "clockmaker"].map((story) => `users/${localId}/places/${story}`);
  const look = async () => (await readSnapshot(env, idToken, paths)).documents;
  const write = (time: number): Write[] =>
    paths.map((path) => ({
      path,
      fields: { ...place, percent: 60, minutesLeft: 1, time },
    }));
  const erase = (updateTime: string | undefined): Write[] =>
    paths.map((path) => ({ path, delete: true, updateTime }));
  await commit(env, idToken, write(1000));
  const [before] = await look();
  await commit(env, idToken, write(2000));

  expect(await commit(env, idToken, erase(before?.updateTime))).toEqual({ status: "refused" });
  const [now, beside] = await look();
  expect([now?.fields.time, beside?.fields.time]).toEqual([2000, 2000]);

  expect(await commit(env, idToken, erase(now?.updateTime))).toEqual({ status: "done" });
  expect(await look()).toEqual([null, null]);
});
