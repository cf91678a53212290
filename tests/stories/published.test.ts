import { expect, test } from "vitest";

import { readEnv } from "#app/env.server.ts";
import { createPublishedService } from "#app/stories/published.server.ts";
import type { FirebaseHosts } from "#emulator/hosts.ts";
import { getLocalVariables } from "#emulator/local-project.ts";
import { sendJson, startServer } from "#tests/support/server.ts";
import { startFirebase } from "#tests/support/firebase.ts";
import { publishStory } from "#tests/support/stories.ts";

/** Creates the service with a clock that stands still. */
function createService(hosts: FirebaseHosts) {
  const env = readEnv({
    SESSION_SECRET: "a secret that is at least 32 characters",
    ...getLocalVariables(hosts),
  });
  const clock = { now: Date.now() };
  return { clock, published: createPublishedService(env, () => clock.now) };
}

test("reads the newest stories at most every five seconds, and after a publication", async () => {
  await using firebase = await startFirebase();
  const { clock, published } = createService(firebase.hosts);
  const publish = (title: string) =>
    publishStory(firebase.hosts, {
      id: title,
      title,
      text: "One.",
      publishedAt: `${title}-01-01T00:00:00Z`,
    });
  const listTitles = async (mayReuse?: boolean) =>
    (await published.list(mayReuse)).map(({ title }) => title);

  await publish("2024");
  expect(await listTitles()).toEqual(["2024"]);
  await publish("2025");
  clock.now += 4999;
  expect(await listTitles()).toEqual(["2024"]);
  clock.now += 1;
  expect(await listTitles()).toEqual(["2025", "2024"]);

  await publish("2026");
  clock.now += 5000;
  expect(await listTitles(true)).toEqual(["2025", "2024"]);
  published.clearLists();
  expect(await listTitles(true)).toEqual(["2026", "2025", "2024"]);
});

test("reads the results of the same search at most once in five seconds", async () => {
  await using firebase = await startFirebase();
  const { clock, published } = createService(firebase.hosts);
  const countResults = async (limit: number) => {
    const search = { word: undefined, tag: undefined, writer: "mira", language: undefined };
    return (await published.listPage({ ...search, after: undefined, sort: "new", limit })).stories
      .length;
  };
  const publish = (id: string) =>
    publishStory(firebase.hosts, { id, title: "Salt", text: "One.", uid: "mira" });

  expect(await countResults(24)).toBe(0);
  await publish("salt-0000000001");
  clock.now += 4999;
  expect(await countResults(24)).toBe(0);
  expect(await countResults(25)).toBe(1);
  clock.now += 1;
  expect(await countResults(24)).toBe(1);

  await publish("salt-0000000002");
  published.clearLists();
  expect(await countResults(24)).toBe(2);
});

test("a query that began before the list was cleared does not fill it", async () => {
  const respond: (() => void)[] = [];
  await using server = await startServer((response) =>
    respond.push(() => sendJson(response, 200, [{}])),
  );
  await using firebase = await startFirebase();
  const hosts = { ...firebase.hosts, FIRESTORE_EMULATOR_HOST: server.host };
  const { clock, published } = createService(hosts);

  const early = published.list();
  await expect.poll(() => respond.length).toBe(1);
  published.clearLists();
  clock.now += 1;
  respond[0]?.();
  await early;
  const late = published.list();

  await expect.poll(() => respond.length).toBe(2);
  respond[1]?.();
  expect(await late).toEqual([]);
  expect(await published.list()).toEqual([]);
});
