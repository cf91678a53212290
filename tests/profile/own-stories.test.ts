import { expect, test } from "vitest";

import { expectConsoleError } from "#tests/support/console.ts";
import { changeDocument } from "#tests/support/documents.ts";
import { hasLink, readTexts, startPlainBrowser } from "#tests/support/plain-browser.ts";
import { openBrowser, visit } from "#tests/support/profile-browser.ts";
import { signIn, startApp, type TestApp } from "#tests/support/routes.ts";
import { publishStory } from "#tests/support/stories.ts";

const TAB = "/profile?tab=stories";

/** Publishes a story of the user with that uid. */
async function publishAs({ firebase: { hosts } }: TestApp, uid: string, id: string, title: string) {
  const publishedAt = `2026-03-0${id.at(-1)}T00:00:00Z`;
  await publishStory(hosts, { id, title, text: "One.", publishedAt });
  await changeDocument(hosts, `stories/${id}`, { uid: { stringValue: uid } });
}

async function setCounts({ firebase: { hosts } }: TestApp, uid: string, id: string) {
  await changeDocument(hosts, `storyCounts/${id}`, {
    uid: { stringValue: uid },
    opens: { integerValue: 1200 },
    finishes: { integerValue: 30 },
    thanks: { integerValue: 4 },
  });
}

test("shows writers the counts of their own stories, newest first", async () => {
  await using app = await startApp();
  const { person, browser } = await visit(app);
  expect((await browser.open(TAB)).data).toMatchObject({ stories: [] });
  await publishAs(app, person.localId, "the-salt-road-0000000001", "The Salt Road");
  await publishAs(app, person.localId, "the-tide-0000000002", "The Tide");
  await publishAs(app, "tomas", "the-gate-0000000003", "The Gate");
  await setCounts(app, person.localId, "the-salt-road-0000000001");
  await setCounts(app, "tomas", "the-gate-0000000003");

  expect((await browser.open(TAB)).data).toMatchObject({
    stories: [
      { id: "the-tide-0000000002", title: "The Tide", opens: 0, finishes: 0, thanks: 0 },
      { title: "The Salt Road", opens: 1200, finishes: 30, thanks: 4 },
    ],
  });
  expect((await browser.open()).data).not.toHaveProperty("stories");
});

test("says that the stories cannot be read while the database is unavailable", async () => {
  await using app = await startApp();
  const { person } = await visit(app);
  const cookie = await signIn(app, person);
  const broken = openBrowser(app.withVariables({ FIRESTORE_EMULATOR_HOST: "127.0.0.1:1" }), cookie);
  expectConsoleError();

  expect((await broken.open(TAB)).data).toMatchObject({ stories: null });
});

test("lists 500 stories, and says where all of them are", async () => {
  await using app = await startPlainBrowser();
  const person = await app.firebase.addAccount();
  const { email, password } = person;
  await app.post("/login", { email, password });
  const publish = (index: number) =>
    changeDocument(app.firebase.hosts, `stories/tide-${`${index}`.padStart(10, "0")}`, {
      uid: { stringValue: person.localId },
      title: { stringValue: `Tide ${index}` },
      publishedAt: { timestampValue: new Date(1.7e12 + index).toISOString() },
    });
  for (let index = 0; index < 499; index += 1) await publish(index);
  const sentence = "These are 500 of your stories. Your page has all of them.";
  expect(readTexts(await app.get(TAB), ["p"])).not.toContain(sentence);
  await publish(499);

  const page = await app.get(TAB);
  expect(readTexts(page, ["p"])).toContain(sentence);
  expect(hasLink(page, "Your page", `/home?writer=${person.localId}`)).toBe(true);
});
