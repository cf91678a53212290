import { expect, onTestFinished, test, vi } from "vitest";

import { readFirebaseJson } from "#emulator/firebase-json.ts";
import { startFirebase } from "#emulator/firebase.ts";
import { LOCAL_PROJECT_ID } from "#emulator/local-project.ts";
import { findFreePort, reservePort, takePort } from "#emulator/ports.ts";
import { createDataFolder } from "#tests/support/data-folder.ts";

test("a port that is kept for a later server is not found as a free one", async () => {
  const first = await findFreePort();
  reservePort(first);
  const found = [];
  // More than there are, so that the search starts again.
  for (let count = 0; count < 130; count += 1) found.push(await findFreePort());
  expect(found).not.toContain(first);
});

test("a Firebase that starts while another one does gets other ports", async () => {
  const settings = await readFirebaseJson("firebase.json");
  const ports = {
    auth: await findFreePort(),
    firestore: await findFreePort(),
    database: await findFreePort(),
  };
  const start = (dataFolder: string, log?: (message: string) => void) =>
    startFirebase({ ...settings, ports, projectId: LOCAL_PROJECT_ID, dataFolder, log });
  await using oneData = await createDataFolder();
  await using otherData = await createDataFolder();
  // So that the first one says that it has chosen its ports.
  onTestFinished(await takePort(ports.database, "the test", ""));
  const log = vi.fn();

  const first = start(oneData.folder, log);
  await expect.poll(() => log.mock.calls.length).toBe(1);
  const second = start(otherData.folder);

  await using one = await first;
  await using other = await second;
  expect(one.hosts.FIREBASE_AUTH_EMULATOR_HOST).toBe(`127.0.0.1:${ports.auth}`);
  const hosts = Object.values(one.hosts);
  expect(Object.values(other.hosts).filter((host) => hosts.includes(host))).toEqual([]);
});
