import { expect, test } from "vitest";

import { loader as homeLoader } from "#app/routes/home.tsx";
import { loader as readersLoader } from "#app/routes/stories-readers.ts";
import { writeDatabase } from "#tests/support/database-values.ts";
import { signIn, startApp, type TestApp } from "#tests/support/routes.ts";
import { publishStory } from "#tests/support/stories.ts";
import { open, ORCHARD } from "./reading.ts";

/** Returns the visible words after a story. */
async function readEnd(app: TestApp, id: string): Promise<string> {
  const html = String((await open(app, id))?.end);
  return html
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** Opens /home, after which this isolate has the list of published stories. */
async function openHome(app: TestApp) {
  await app.send(homeLoader, "/home");
}

const SALT = { id: "the-salt-road-0000000001", title: "The Salt Road", text: "It *began*." };
const TIDE = { id: "the-tide-0000000002", title: "The <b>Tide</b>", text: "It came." };

test("leads from a built-in story to the next one, its writer and the room", async () => {
  await using app = await startApp();

  const html = String((await open(app, ORCHARD))?.end);

  expect(await readEnd(app, ORCHARD)).toMatch(/^The Lamplighter&#x27;s Orchard ends here\./);
  const paths = ["/read/salt-for-the-clockmaker", "/home?writer=inkglade", `/read/${ORCHARD}#room`];
  for (const href of paths) {
    expect(html).toContain(`href="${href}"`);
  }
  expect(html).toContain('action="/saved"');
  expect(html).not.toContain("Thank the writer");
  // The writer of the built-in stories has no account.
  expect(html).not.toContain('action="/following"');
});

test("everyone but its writer can report a published story", async () => {
  await using app = await startApp();
  const writer = await app.firebase.addAccount();
  await publishStory(app.firebase.hosts, { ...SALT, uid: writer.localId });
  const hasLink = async (id: string, cookie?: string) =>
    String((await open(app, id, cookie))?.end).includes(`href="/read/${id}/report"`);

  expect(await hasLink(SALT.id)).toBe(true);
  expect(await hasLink(SALT.id, await signIn(app, await app.firebase.addAccount()))).toBe(true);
  expect(await hasLink(SALT.id, await signIn(app, writer))).toBe(false);
  expect(await hasLink(ORCHARD)).toBe(false);
});

test("leads to another story by the same writer", async () => {
  await using app = await startApp();
  for (const story of [SALT, TIDE]) await publishStory(app.firebase.hosts, story);
  await openHome(app);

  const end = await readEnd(app, SALT.id);

  expect(end).toContain("Next by Ana The &lt;b&gt;Tide&lt;/b&gt; 1 min");
  expect(String((await open(app, SALT.id))?.end)).toContain("/home?writer=ana");
});

test("shows three covers of the writer's other stories", async () => {
  await using app = await startApp();
  await publishStory(app.firebase.hosts, SALT);
  for (let number = 2; number <= 6; number += 1) {
    await publishStory(app.firebase.hosts, { ...TIDE, id: `the-tide-000000000${number}` });
  }
  await openHome(app);

  const html = String((await open(app, SALT.id))?.end);

  const covers = html.match(/<li><a href="\/read\/the-tide-\d{10}"/g) ?? [];
  expect(new Set(covers).size).toBe(3);
});

test("links to a built-in story until published stories are loaded", async () => {
  await using app = await startApp();
  await publishStory(app.firebase.hosts, SALT);

  expect(await readEnd(app, SALT.id)).toContain("Read next The Lamplighter&#x27;s Orchard");
  expect(await readEnd(app, "the-winter-interpreter")).toContain("Next by Inkglade Editors");
});

test("shows how many people have the next story open", async () => {
  await using app = await startApp();
  const record = { story: "salt-for-the-clockmaker", time: Date.now() };
  await writeDatabase(app, "readers/key", record);
  expect(await readEnd(app, ORCHARD)).not.toContain("reading now");

  await app.send(readersLoader, "/stories/readers");

  expect(await readEnd(app, ORCHARD)).toContain("· 1 reading now");
});
