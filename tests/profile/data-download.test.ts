import { expect, test, vi } from "vitest";

import { getAnswersPath } from "#app/chat/answers/answer.ts";
import { USER_DATA } from "#app/profile/user-data.server.ts";
import { action as create } from "#app/routes/create.tsx";
import { loader as download } from "#app/routes/profile.data.ts";
import { action as changeHidden } from "#app/routes/room-hidden.ts";
import { expectConsoleError } from "#tests/support/console.ts";
import { createDraftForm } from "#tests/support/create-page.ts";
import { changeDocument, deleteDocument } from "#tests/support/documents.ts";
import { fillRoom } from "#tests/support/fill-room.ts";
import { startPlainBrowser } from "#tests/support/plain-browser.ts";
import { startRequestCounter } from "#tests/support/request-counter.ts";
import { signIn, startApp } from "#tests/support/routes.ts";
import { startServiceProxy } from "#tests/support/service-proxy.ts";
import { USER_COLLECTIONS } from "#tests/support/user-data.ts";
import { downloadZip, readBytes, unzip, type Files } from "./data-file.ts";

test("downloads everything of the user as one ZIP, and nothing of others", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount({ displayName: "Ana Reyes" });
  const other = await app.firebase.addAccount();
  const cookie = await signIn(app, person);
  const drafts = Array.from({ length: 11 }, (_, number) =>
    createDraftForm({ title: `Story ${number}`, text: `${number} ${"tide ".repeat(50_000)}` }),
  );
  for (const form of drafts) await app.send(create, "/create", { form, cookie });
  const published = createDraftForm({ intent: "publish", title: "Out", text: "Once." });
  await app.send(create, "/create", { form: published, cookie });
  const changed = { ...published, intent: "save", revision: "1", text: "Twice." };
  await app.send(create, "/create", { form: changed, cookie });
  const otherCookie = await signIn(app, other);
  const othersStory = createDraftForm({ intent: "publish" });
  await app.send(create, "/create", { form: othersStory, cookie: otherCookie });
  await fillRoom(app.firebase, other, 3, ["Not mine"]);
  // Replaces two of these messages, because `fillRoom` numbers its ids from 0 each time.
  await fillRoom(app.firebase, person, 2, ["Mine"]);
  const hide = { intent: "hide", person: "tomas", name: "Tomas Lund" };
  await app.send(changeHidden, "/rooms/general/hidden", { form: hide, cookie });

  const response = await app.send(download, "/profile/data", { cookie });

  expect(response.headers.get("Content-Disposition")).toBe('attachment; filename="inkglade.zip"');
  const files = unzip(await readBytes(response));
  expect(parse(files, "account.json")).toEqual({
    app: "Inkglade",
    format: 1,
    file: 1,
    files: 1,
    account: {
      displayName: "Ana Reyes",
      email: person.email,
      photoURL: null,
      about: "",
      isUnseen: false,
      isUncounted: false,
    },
    pictures: [],
  });
  const folder = `drafts/out-${published.id}`;
  expect(parse(files, `${folder}/versions/1.json`)).toMatchObject({ id: "1", reason: "published" });
  expect(files[`${folder}/versions/1.md`]).toBe("Once.");
  const [story = ""] = Object.keys(files).filter((name) => /^stories\/out-\d+\/.+md$/.test(name));
  expect(files[story]).toBe("Once.");
  expect(parse(files, "messages/1.json")).toMatchObject([{ text: "Mine" }, { text: "Mine" }]);
  expect(files["messages/1.md"]).toMatch(/^## 20.+Z\n\nMine\n\n## 20.+Z\n\nMine\n$/);
  expect(parse(files, "hidden-people/1.json")).toMatchObject([{ id: "tomas", name: "Tomas Lund" }]);
  expect(JSON.stringify(files)).not.toContain("Not mine");
  expect(Object.keys(files).filter((name) => name.startsWith("stories/"))).toHaveLength(2);
  const texts = Object.entries(files).filter(([name]) => name.endsWith("/draft.md"));
  const toId = (name: string) => name.split("/")[1]?.slice(-20);
  expect(new Map(texts.map(([name, text]) => [toId(name), text]))).toEqual(
    new Map([...drafts, changed].map(({ id, text }) => [id, text])),
  );
});

test("downloads each collection below the user's path, and explains each folder", async () => {
  await using app = await startApp();
  const [person, other] = [await app.firebase.addAccount(), await app.firebase.addAccount()];
  const cookie = await signIn(app, person);
  for (const name of USER_COLLECTIONS) {
    for (const { localId } of [person, other]) {
      const path = `users/${localId}/${name}/stored`;
      await changeDocument(app.firebase.hosts, path, { mark: { stringValue: localId } });
    }
  }

  const files = unzip(await downloadZip(app, cookie));

  for (const { folder, about, getPath, hasTexts } of USER_DATA) {
    if (folder === null) continue;
    expect(files["README.md"]).toContain(`\n- \`${folder}\`: ${about}\n`);
    if (!getPath || hasTexts) continue;
    expect(parse(files, `${folder}/1.json`), folder).toEqual([
      { id: "stored", mark: person.localId },
    ]);
  }
});

test("lists messages and answers by their times, not by their ids", async () => {
  await using app = await startApp();
  const { hosts } = app.firebase;
  const person = await app.firebase.addAccount();
  const cookie = await signIn(app, person);
  const [uid, kind] = [{ stringValue: person.localId }, { stringValue: "reply" }];
  for (const [id, day] of Object.entries({ a: "03", b: "01", c: "02" })) {
    const time = { timestampValue: `2026-01-${day}T00:00:00Z` };
    const text = { stringValue: `Day ${day}` };
    await changeDocument(hosts, `rooms/general/messages/${id}`, { uid, text, createdAt: time });
    await changeDocument(hosts, `${getAnswersPath(person.localId)}/${id}`, { kind, at: time });
  }

  const files = unzip(await downloadZip(app, cookie));

  expect(files["messages/1.md"]?.match(/Day .+/g)).toEqual(["Day 01", "Day 02", "Day 03"]);
  expect(files["answers/1.md"]?.match(/A reply to you, message .+/g)).toEqual([
    "A reply to you, message b",
    "A reply to you, message c",
    "A reply to you, message a",
  ]);
});

test("downloads everything although a part of a draft is missing, and says so", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount({ displayName: "Ana Reyes" });
  const cookie = await signIn(app, person);
  const whole = createDraftForm({ text: "Whole" });
  const damaged = createDraftForm({ intent: "publish", text: "x".repeat(200_001) });
  for (const form of [whole, damaged]) await app.send(create, "/create", { form, cookie });
  const path = `users/${person.localId}/drafts/${damaged.id}`;
  await deleteDocument(app.firebase.hosts, `${path}/parts/0`);

  const files = unzip(await downloadZip(app, cookie));

  expect(files[`drafts/salt-and-sand-${whole.id}/draft.md`]).toBe("Whole");
  const folder = `drafts/salt-and-sand-${damaged.id}`;
  expect(files[`${folder}/draft.md`]).toBe("\n\nx");
  expect(parse(files, `${folder}/draft.json`)).toMatchObject({ isDamaged: true });
  expect(files[`${folder}/versions/1.md`]).toHaveLength(200_001);
});

test("downloads 25 drafts with their versions within the requests of a free plan", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount();
  const cookie = await signIn(app, person);
  for (const form of Array.from({ length: 25 }, () => createDraftForm())) {
    await app.send(create, "/create", { form, cookie });
  }
  using counter = startRequestCounter();
  const counted = app.withVariables(await countAll(app.firebase.hosts, counter));

  const files = unzip(await downloadZip(counted, cookie));

  expect(Object.keys(files).filter((name) => name.endsWith("draft.md"))).toHaveLength(25);
  expect(counter.count()).toBeLessThanOrEqual(45);
});

test("downloads more drafts as several files that together have all of them, each once", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount();
  const cookie = await signIn(app, person);
  const forms = Array.from({ length: 26 }, () => createDraftForm());
  for (const form of forms) await app.send(create, "/create", { form, cookie });
  await fillRoom(app.firebase, person, 1);

  const { status, headers } = await app.send(download, "/profile/data", { cookie });
  expect([status, headers.get("Location")]).toEqual([
    302,
    "/profile?tab=data&files=3#download-heading",
  ]);
  const files = await Promise.all(
    [1, 2, 3].map(async (number) =>
      unzip(await downloadZip(app, cookie, `/profile/data?file=${number}&files=3`)),
    ),
  );

  const [first, ...others] = files.map(Object.keys);
  expect(first).toEqual(["account.json", "README.md", "messages/1.json", "messages/1.md"]);
  const drafts = others.flat().filter((name) => name.endsWith("draft.json"));
  const ids = drafts.map((name) => name.replace("/draft.json", "").slice(-20));
  expect(ids.toSorted()).toEqual(forms.map(({ id }) => id).toSorted());
});

test("links to each of several files, without scripts", async () => {
  await using browser = await startPlainBrowser();
  const { email, password } = await browser.firebase.addAccount();
  await browser.post("/login", { email, password });

  const { html } = await browser.get("/profile?tab=data&files=3");

  expect(html).toContain('href="/profile/data?file=1&amp;files=3"');
  expect(html).toContain('href="/profile/data?file=3&amp;files=3"');
  expect(html).not.toContain('href="/profile/data"');
});

test("a download that fails in the middle is not taken for a whole file", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount();
  const cookie = await signIn(app, person);
  const form = createDraftForm();
  await app.send(create, "/create", { form, cookie });
  await using proxy = await startServiceProxy(app.firebase.hosts, "firestore");
  const cut = app.withVariables(proxy.variables);
  const response = await cut.send(download, "/profile/data", { cookie });
  if (!(response instanceof Response) || !response.body) throw new TypeError("No stream");
  const reader = response.body.getReader();
  const chunks: Uint8Array[] = [];
  async function readAll() {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      chunks.push(next.value);
      proxy.state.fault = "cut";
    }
  }

  expectConsoleError();
  await expect(readAll()).rejects.toThrow("Firestore did not respond");

  expect(() => unzip(new Uint8Array(Buffer.concat(chunks)))).toThrow("invalid zip data");
});

test("reads ahead no further than the browser has downloaded", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount();
  const cookie = await signIn(app, person);
  for (const form of Array.from({ length: 8 }, () => createDraftForm())) {
    await app.send(create, "/create", { form, cookie });
  }
  using counter = startRequestCounter();
  const counted = app.withVariables(await countAll(app.firebase.hosts, counter));
  const response = await counted.send(download, "/profile/data", { cookie });
  if (!(response instanceof Response) || !response.body) throw new TypeError("No stream");
  const before = counter.count();

  const reader = response.body.getReader();
  await reader.read();
  await reader.read();

  expect(counter.count()).toBeLessThanOrEqual(before + 1);
  await reader.cancel();
});

test("limits how often a user downloads", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const send = () => app.send(download, "/profile/data", { cookie });
  for (const path of Array<string>(30).fill("/profile/data?file=1&files=1")) {
    const response = await app.send(download, path, { cookie });
    if (response instanceof Response) await response.body?.cancel();
  }

  const { status, headers } = await send();

  expect([status, headers.get("Retry-After")]).toEqual([429, "60"]);
});

test("sends a user whose session has ended to sign in, and says why", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount();
  const cookie = await signIn(app, person);
  await app.firebase.endAccount(person, "deleted");

  const { status, headers } = await app.send(download, "/profile/data", { cookie });

  expect([status, headers.get("Location")]).toEqual([302, "/login"]);
  expect(headers.getSetCookie().join()).toContain("flash=session-ended");
});

test("keeps a user signed in whose token cannot be renewed now", async () => {
  vi.useFakeTimers({ now: Date.now(), toFake: ["Date"] });
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  vi.setSystemTime(Date.now() + 2 * 60 * 60_000);
  const cut = app.withVariables({ FIREBASE_AUTH_EMULATOR_HOST: "127.0.0.1:1" });

  const { status, headers } = await cut.send(download, "/profile/data", { cookie });
  vi.useRealTimers();

  expect([status, headers.get("Content-Disposition")]).toEqual([503, null]);
});

test("the link to the file leaves it to the response whether to save a file", async () => {
  await using browser = await startPlainBrowser();
  const { email, password } = await browser.firebase.addAccount();
  await browser.post("/login", { email, password });

  const { html } = await browser.get("/profile?tab=data");

  expect(html).toContain('href="/profile/data"');
  expect(html).not.toMatch(/<a [^>]*download/);
});

test("redirects a visitor to sign in", async () => {
  await using app = await startApp();

  const { status, headers } = await app.send(download, "/profile/data");

  expect([status, headers.get("Location")]).toEqual([302, "/login"]);
});

function parse(files: Files, name: string): unknown {
  return JSON.parse(files[name] ?? "null");
}

async function countAll<Hosts extends object>(
  hosts: Hosts,
  counter: ReturnType<typeof startRequestCounter>,
) {
  const pairs = Object.entries(hosts).map(async ([name, host]) => [
    name,
    await counter.proxy(String(host)),
  ]);
  // The same names with other hosts.
  return Object.fromEntries(await Promise.all(pairs)) as Record<string, string>;
}
