import { expect, test, vi } from "vitest";

import { action as create } from "#app/routes/create.tsx";
import { loader as download } from "#app/routes/profile.data.ts";
import { action as changeHidden } from "#app/routes/room-hidden.ts";
import { createDraftForm } from "#tests/support/create-page.ts";
import { deleteDocument } from "#tests/support/documents.ts";
import { fillRoom } from "#tests/support/fill-room.ts";
import { startPlainBrowser } from "#tests/support/plain-browser.ts";
import { readJson, signIn, startApp } from "#tests/support/routes.ts";

test("downloads everything of the user as one JSON file, and nothing of others", async () => {
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

  expect(response.headers.get("Content-Disposition")).toBe('attachment; filename="inkglade.json"');
  const file = (await readJson(response)) as { drafts: { id: string; text: string }[] };
  expect(file).toMatchObject({
    account: { displayName: "Ana Reyes", email: person.email },
    about: "",
    isUnseen: false,
    isUncounted: false,
    stories: [{ title: "Out", text: "Once." }],
    draftVersions: [{ draft: published.id, title: "Out", text: "Once.", reason: "published" }],
    countedStories: [],
    messages: [{ text: "Mine" }, { text: "Mine" }],
    readingPositions: [],
    answers: [],
    hiddenPeople: [{ id: "tomas", name: "Tomas Lund" }],
  });
  const texts = new Map(file.drafts.map(({ id, text }) => [id, text]));
  expect(texts).toEqual(new Map([...drafts, changed].map(({ id, text }) => [id, text])));
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

  const file = await readJson(await app.send(download, "/profile/data", { cookie }));

  const { drafts } = file as { drafts: object[] };
  expect(drafts).toHaveLength(2);
  expect(drafts).toContainEqual(expect.objectContaining({ id: whole.id, text: "Whole" }));
  const rest = { id: damaged.id, text: "\n\nx", isDamaged: true };
  expect(drafts).toContainEqual(expect.objectContaining(rest));
  expect(file).toMatchObject({ draftVersions: [{ draft: damaged.id }], stories: [{ words: 1 }] });
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
