import { afterEach, expect, test, vi } from "vitest";

import { loader } from "#app/routes/feed[.]xml.ts";
import { expectConsoleError } from "#tests/support/console.ts";
import { changeDocument, deleteDocument } from "#tests/support/documents.ts";
import { startApp, type TestApp } from "#tests/support/routes.ts";
import { publishStory } from "#tests/support/stories.ts";

afterEach(() => void vi.useRealTimers());

test("lists published stories for feed readers, the newest first", async () => {
  await using app = await startApp();
  const { hosts } = app.firebase;
  const text = "The tide came in.";
  const story = { id: "salt-0123456789", title: "Salt", text, publishedAt: "2026-01-02T03:04:05Z" };
  await publishStory(hosts, { ...story, description: "A clerk.", tags: ["sea"] });
  await publishStory(hosts, { id: "sand-0123456789", title: "Sand", text });

  const response = await app.send(loader, "http://localhost/feed.xml");
  const xml = await readText(response);

  expect(response.headers.get("Content-Type")).toBe("application/atom+xml; charset=utf-8");
  expect(readAll(xml, "title")).toEqual(["Inkglade", "Salt", "Sand"]);
  const [entry = ""] = readAll(xml, "entry");
  expect(readAll(entry, "id")).toEqual(["http://localhost/read/salt-0123456789"]);
  expect(readAll(entry, "published")).toEqual(["2026-01-02T03:04:05.000Z"]);
  expect(readAll(entry, "name")).toEqual(["Ana"]);
  expect(readAll(entry, "summary")).toEqual(["A clerk."]);
  expect(entry).toContain('<category term="sea"/>');
  expect(response.headers.get("Set-Cookie")).toBeNull();
});

test("a story that was unpublished elsewhere is not listed after five seconds", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  await using app = await startApp();
  const { hosts } = app.firebase;
  await publishStory(hosts, { id: "salt-0123456789", title: "Salt", text: "Salt." });
  const readTitles = async () =>
    readAll(await readText(await app.send(loader, "/feed.xml")), "title");
  expect(await readTitles()).toContain("Salt");

  await deleteDocument(hosts, "stories/salt-0123456789");
  vi.setSystemTime(Date.now() + 5001);

  expect(await readTitles()).not.toContain("Salt");
});

test("escapes what would break the feed", async () => {
  await using app = await startApp();
  const title = 'A & B <b>"C"</b>\u0001';
  await publishStory(app.firebase.hosts, { id: "salt-0123456789", title, text: "Salt." });

  const xml = await readText(await app.send(loader, "/feed.xml"));

  expect(readAll(xml, "title")[1]).toBe("A &amp; B &lt;b&gt;&quot;C&quot;&lt;/b&gt;");
});

test.each([
  ["writer=ana", "Inkglade: stories by Ana", ["Salt"]],
  ["tag=Sea", "Inkglade: stories tagged “sea”", ["Sand"]],
  ["writer=nobody", "Inkglade: stories by a writer", []],
])("the feed with %s has only these stories", async (query, title, stories) => {
  await using app = await startApp();
  const { hosts } = app.firebase;
  await publishStory(hosts, { id: "salt-0123456789", title: "Salt", text: "Salt." });
  const tomas = { uid: "tomas", author: "Tomás", tags: ["sea"] };
  await publishStory(hosts, { id: "sand-0123456789", title: "Sand", text: "Sand.", ...tomas });

  const xml = await readText(await app.send(loader, `http://localhost/feed.xml?${query}`));

  expect(readAll(xml, "title")).toEqual([title, ...stories]);
  const address = `http://localhost/feed.xml?${query.toLowerCase()}`;
  expect(xml).toContain(`<link rel="self" href="${address}"/>`);
});

test("the feed with a tag has no story that is only indexed under it", async () => {
  await using app = await startApp();
  const { hosts } = app.firebase;
  const id = "sand-0123456789";
  await publishStory(hosts, { id, title: "Sand", text: "Sand.", tags: ["Sea"] });
  await publishStory(hosts, { id: "spam-0123456789", title: "Spam", text: "Spam." });
  // A script may store any terms.
  await changeDocument(hosts, "stories/spam-0123456789", {
    terms: { arrayValue: { values: [{ stringValue: "#sea" }] } },
  });

  const xml = await readText(await app.send(loader, "http://localhost/feed.xml?tag=sea"));

  expect(readAll(xml, "title").slice(1)).toEqual(["Sand"]);
});

test("asks feed readers to come back when the database does not respond", async () => {
  expectConsoleError();
  await using app = await startApp();
  const disconnected = app.withVariables({ FIRESTORE_EMULATOR_HOST: "127.0.0.1:1" });

  const { status, headers } = await disconnected.send(loader, "/feed.xml");

  expect(status).toBe(503);
  expect(headers.get("Retry-After")).toBe("60");
});

function readText(outcome: Awaited<ReturnType<TestApp["send"]>>): Promise<string> {
  if (!(outcome instanceof Response)) throw new TypeError("Expected a response");
  return outcome.text();
}

function readAll(xml: string, name: string): string[] {
  const elements = new RegExp(`<${name}>([\\s\\S]*?)</${name}>`, "g");
  return [...xml.matchAll(elements)].map(([, content = ""]) => content);
}
