import { expect, test, vi } from "vitest";

import { readEnv } from "#app/env.server.ts";
import { createPublishedService } from "#app/stories/published.server.ts";
import { localVariables } from "#emulator/local-project.ts";
import { answerJson, startServer } from "#tests/support/server.ts";
import { startFirebase } from "#tests/support/firebase.ts";
import { publishStory } from "#tests/support/stories.ts";

test("reads the newest stories at most every five seconds, and after a publication", async () => {
  await using firebase = await startFirebase();
  const env = readEnv({
    SESSION_SECRET: "a secret that is at least 32 characters",
    ...localVariables(firebase.hosts),
  });
  const clock = { now: Date.now() };
  const published = createPublishedService(env, () => clock.now);
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
  published.clearList();
  expect(await listTitles(true)).toEqual(["2026", "2025", "2024"]);
});

test("a query that began before the list was cleared does not fill it", async () => {
  const answers: (() => void)[] = [];
  await using server = await startServer((response) =>
    answers.push(() => answerJson(response, 200, [{}])),
  );
  await using firebase = await startFirebase();
  const env = readEnv({
    SESSION_SECRET: "a secret that is at least 32 characters",
    ...localVariables({ ...firebase.hosts, FIRESTORE_EMULATOR_HOST: server.host }),
  });
  const published = createPublishedService(env, () => 0);

  const early = published.list();
  await vi.waitFor(() => expect(answers).toHaveLength(1));
  published.clearList();
  answers[0]?.();
  await early;
  const late = published.list();

  await vi.waitFor(() => expect(answers).toHaveLength(2));
  answers[1]?.();
  expect(await late).toEqual([]);
  expect(await published.list()).toEqual([]);
});
