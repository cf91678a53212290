import { strToU8, zipSync, type Zippable } from "fflate/browser";
import { expect, test } from "vitest";

import { action as create } from "#app/routes/create.tsx";
import { action as changeFollowing } from "#app/routes/following.ts";
import { action as savePosition } from "#app/routes/reading-positions.ts";
import { action as changeHiddenItems } from "#app/routes/hidden.ts";
import { action as changeHidden } from "#app/routes/room-hidden.ts";
import { action as changeSaved } from "#app/routes/saved.ts";
import { MAX_SAVED } from "#app/stories/library/library.ts";
import { MAX_STORY_LENGTH } from "#app/writing/draft.ts";
import { createDraftForm } from "#tests/support/create-page.ts";
import { fillRoom } from "#tests/support/fill-room.ts";
import { startPlainBrowser, readBanner } from "#tests/support/plain-browser.ts";
import { startRequestCounter } from "#tests/support/request-counter.ts";
import { signIn, startApp, type TestApp } from "#tests/support/routes.ts";
import { publishStory } from "#tests/support/stories.ts";
import { createZip64 } from "#tests/support/zip64.ts";
import {
  createDataZip,
  createDraftFiles,
  downloadZip,
  importZip,
  unzip,
  zip,
  type Files,
} from "./data-file.ts";

const ID = "AAAAAAAAAABBBBBBBBBB";
const POSITION = {
  story: "what-the-heron-keeps",
  title: "What the Heron Keeps",
  paragraph: "p-1a2b3c",
  start: "The heron",
  offset: 3,
  number: 4,
  percent: 40,
  minutesLeft: 2,
  time: 1_700_000_000_000,
};

/** Fields of a draft that begin again in another account, because the rules want that, or because it is not published there. */
const NEW_DRAFT_FIELDS = [
  "revision",
  "createdAt",
  "updatedAt",
  "versionedAt",
  "storyId",
  "publishedRevision",
  "publishedAt",
  "publishedChapters",
  "deletedAt",
];

test("an imported download has the same contents when the other account downloads it", async () => {
  await using app = await startApp();
  const ana = await app.firebase.addAccount({ displayName: "Ana Reyes" });
  const cookie = await signIn(app, ana);
  await fillAccount(app, cookie);
  await fillRoom(app.firebase, ana, 2, ["Mine"]);
  const files = await downloadZip(app, cookie);
  const freshCookie = await signIn(app, await app.firebase.addAccount());

  const { status, report } = await importZip(app, freshCookie, files);

  expect([status, report?.message]).toEqual([
    200,
    "Imported: 5 drafts, 4 versions, 1 reading position, 1 saved story, 1 followed writer, 1 hidden person, 1 hidden story, tag or writer.",
  ]);
  const before = toImportable(unzip(files));
  const after = toImportable(unzip(await downloadZip(app, freshCookie)));
  expect(Object.keys(before).filter((name) => name.endsWith(".md"))).toHaveLength(10);
  expect(after).toEqual(before);
});

test("imports the same file twice without doubling anything", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount({ displayName: "Ana" }));
  await fillAccount(app, cookie);
  const files = await downloadZip(app, cookie);
  const fresh = await app.firebase.addAccount();
  const freshCookie = await signIn(app, fresh);
  await importZip(app, freshCookie, files);
  const once = unzip(await downloadZip(app, freshCookie));

  const again = await importZip(app, freshCookie, files);
  const own = await importZip(app, cookie, await downloadZip(app, freshCookie));

  expect(again.report).toMatchObject({
    message: "Nothing new was imported.",
    details: expect.arrayContaining(["14 were here already, and stay as they are."]),
  });
  expect(own.report?.message).toBe("Nothing new was imported.");
  expect(unzip(await downloadZip(app, freshCookie))).toEqual(once);
});

test("says what a full list has no room for, and what was here already", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const full = Array.from({ length: MAX_SAVED }, (_, index) => `story-${index}`);
  await importZip(app, cookie, toFile(["story-0", "another"]));

  const { report } = await importZip(app, cookie, toFile(full));

  expect(report?.message).toBe(`Imported: ${MAX_SAVED - 2} saved stories.`);
  expect(report?.details.slice(0, 2)).toEqual([
    "1 was here already, and stays as it is.",
    `Not imported: saved stories over the limit of ${MAX_SAVED}: 1.`,
  ]);

  function toFile(ids: string[]) {
    const list = { id: "~saved", time: 9_000_000_000_000_000, items: ids.map(toSaved) };
    return createDataZip({ "library/1.json": JSON.stringify([list]) });
  }
});

test("keeps what the account has: newer drafts, later positions and its own lists", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  await app.send(create, "/create", { form: createDraftForm({ id: ID, text: "Mine" }), cookie });
  await save(app, cookie, { ...POSITION, time: POSITION.time + 1 });
  await app.send(changeSaved, "/saved", {
    form: { intent: "save", story: "the-orchard-clock", returnTo: "/home" },
    cookie,
  });
  const { story, ...position } = POSITION;
  const items = [toSaved("b"), toSaved("c")];
  const file = createDataZip({
    ...createDraftFiles(ID, {}, "Old"),
    "library/1.json": JSON.stringify([
      { id: story, ...position },
      { id: "~saved", time: 9_000_000_000_000_000, items },
    ]),
  });

  const { report } = await importZip(app, cookie, file);

  expect(report?.message).toBe("Imported: 2 saved stories.");
  expect(report?.details[0]).toBe("2 were here already, and stay as they are.");
  const files = unzip(await downloadZip(app, cookie));
  expect(files[`drafts/salt-and-sand-${ID}/draft.md`]).toBe("Mine");
  const library: { id: string; time: number; items: { id: string }[] }[] = JSON.parse(
    files["library/1.json"] ?? "[]",
  );
  expect(library.find(({ id }) => id === story)?.time).toBe(POSITION.time + 1);
  const saved = library.find(({ id }) => id === "~saved")?.items.map(({ id }) => id);
  expect(saved?.slice(-2)).toEqual(["b", "c"]);
});

test("an imported story can be published, and its imported versions stay", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount({ displayName: "Ana" }));
  const form = createDraftForm({ intent: "publish", text: "Once." });
  await app.send(create, "/create", { form, cookie });
  const second = { ...form, revision: "1", text: "Twice." };
  await app.send(create, "/create", { form: second, cookie });
  const file = await downloadZip(app, cookie);
  const freshCookie = await signIn(app, await app.firebase.addAccount({ displayName: "Bo" }));
  await importZip(app, freshCookie, file);

  for (const revision of ["1", "2"]) {
    const next = { ...form, revision, text: `Again ${revision}.` };
    await app.send(create, "/create", { form: next, cookie: freshCookie });
  }

  const files = unzip(await downloadZip(app, freshCookie));
  const versions = Object.entries(files).filter(([name]) => /versions\/.+md$/.test(name));
  expect(versions.map(([, text]) => text).toSorted()).toEqual([
    "Again 1.",
    "Again 2.",
    "Once.",
    "Twice.",
  ]);
  expect(Object.keys(files).filter((name) => name.startsWith("stories/"))).toHaveLength(2);
});

test("a published story without a draft comes back as a draft, once", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const [json, text] = Object.values(createDraftFiles(ID, { uid: "ana", author: "Ana" }, "Lost."));
  const file = createDataZip({
    "stories/salt-0123456789/story.json": json ?? "",
    "stories/salt-0123456789/story.md": text ?? "",
  });

  const { report } = await importZip(app, cookie, file);
  await importZip(app, cookie, file);

  expect(report?.details).toContain(
    "Your stories come back as drafts. Publish them again when you like.",
  );
  const texts = Object.entries(unzip(await downloadZip(app, cookie)));
  expect(texts.filter(([name]) => name.endsWith("draft.md")).map(([, words]) => words)).toEqual([
    "Lost.",
  ]);
});

test("continues a large import when the file is imported again", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const ids = Array.from({ length: 600 }, (_, index) => `A${String(index).padStart(19, "0")}`);
  const file = createDataZip(Object.assign({}, ...ids.map((id) => createDraftFiles(id))));
  using counter = startRequestCounter();
  const { FIRESTORE_EMULATOR_HOST: host } = app.firebase.hosts;
  const counted = app.withVariables({ FIRESTORE_EMULATOR_HOST: await counter.proxy(host) });

  const first = await importZip(counted, cookie, file);
  expect(counter.count()).toBeLessThanOrEqual(40);
  const second = await importZip(app, cookie, file);

  expect(first.report).toMatchObject({ isUnfinished: true });
  expect(first.report?.details[0]).toBe("There is more. Import the same file again to continue.");
  const [, done] = /(\d+) drafts/.exec(first.report?.message ?? "") ?? [];
  expect(Number(done)).toBeGreaterThan(400);
  expect(second.report).toMatchObject({
    message: `Imported: ${600 - Number(done)} drafts.`,
    isUnfinished: false,
  });
});

const VERSION = JSON.stringify({
  reason: "hour",
  createdAt: "2026-01-02T03:04:05.678901Z",
  title: "Salt",
  description: "",
  tags: [],
  cover: null,
  words: 1,
  parts: 1,
});

test("imports what is valid, and names the files that are not", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount();
  const cookie = await signIn(app, person);
  const id = (letter: string) => letter.repeat(20);
  const file = createDataZip({
    ...createDraftFiles(ID),
    ...createDraftFiles(id("a"), { title: "x".repeat(256) }),
    ...createDraftFiles(id("b"), { tags: "sea" }),
    ...createDraftFiles(id("c"), { cover: "javascript:alert(1)" }),
    ...createDraftFiles(id("d"), {}, "x".repeat(MAX_STORY_LENGTH + 1)),
    // The rules refuse a version without its draft, which does not keep the other texts out.
    [`drafts/x-${id("d")}/versions/2.json`]: VERSION,
    [`drafts/x-${id("d")}/versions/2.md`]: "Once.",
    ...createDraftFiles(id("f"), {}, "é".repeat(MAX_STORY_LENGTH * 2)),
    [`drafts/x-${id("e")}/draft.json`]: "{",
    [`drafts/x-${id("e")}/draft.md`]: "",
    [`drafts/x-${ID}/versions/../../x.json`]: "{}",
    [`drafts/x-${ID}/versions/1.json`]: JSON.stringify({ reason: "because" }),
    [`drafts/x-${ID}/versions/1.md`]: "",
    "library/1.json": JSON.stringify([
      { id: "../../x", percent: 1 },
      { id: "x", percent: 101 },
    ]),
    "hidden-people/1.json": JSON.stringify([{ id: person.localId, name: "Me" }]),
    "messages/1.json": JSON.stringify([{ id: "a", text: "Posted?" }]),
  });

  const { status, report } = await importZip(app, cookie, file);

  expect([status, report?.message]).toEqual([200, "Imported: 1 draft."]);
  const failed = report?.details.find((text) => text.includes("can't read it"));
  for (const letter of ["a", "b", "c", "d", "e", "f"]) expect(failed).toContain(`x-${id(letter)}`);
  expect(failed).toContain(`x-${id("d")}/versions/2.md`);
  const files = unzip(await downloadZip(app, cookie));
  expect(Object.keys(files).filter((name) => /draft\.md$|messages|library/.test(name))).toEqual([
    `drafts/salt-${ID}/draft.md`,
  ]);
});

test("counts the words of an imported text whose number is missing or impossible", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const other = "C".repeat(20);
  const file = createDataZip({
    ...createDraftFiles(ID, { words: -1 }, "Once upon."),
    ...createDraftFiles(other, { words: 9e15 }, "Once upon a time."),
  });
  await importZip(app, cookie, file);

  const files = unzip(await downloadZip(app, cookie));
  expect(files[`drafts/salt-${ID}/draft.json`]).toMatch(/"words": 2\b/);
  expect(files[`drafts/salt-${other}/draft.json`]).toMatch(/"words": 4\b/);
});

test("imports a download that was unpacked and packed again into a folder", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const files = unzip(createDataZip(createDraftFiles(ID)));
  const moved: Zippable = {};
  for (const [name, text] of Object.entries(files)) {
    // Other programs write a time and more into extra fields.
    const options = { extra: { 0x5455: new Uint8Array(5) }, comment: "c" };
    moved[`my data/${name}`] = [strToU8(text), options];
  }

  const { report } = await importZip(app, cookie, zipSync(moved));

  expect(report?.message).toBe("Imported: 1 draft.");
});

const large = "長".repeat(466_000);

test.each<[string, () => Uint8Array, RegExp]>([
  ["that is no ZIP", () => new Uint8Array(1000), /can't read this file/],
  [
    "that is cut off",
    () => createDataZip(createDraftFiles(ID)).slice(0, -30),
    /can't read this file/,
  ],
  ["of something else", () => zip({ "a.txt": "Hi" }), /isn't a ZIP of your data/],
  ["of another product", () => createDataZip({}, { app: "Other" }), /isn't a ZIP of your data/],
  ["of a later format", () => createDataZip({}, { app: "Inkglade", format: 2 }), /another version/],
  ["with an endless list", createZip64, /can't read this file/],
])("refuses a file %s, and changes nothing", async (_, createFile, message) => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());

  const { status, banner } = await importZip(app, cookie, createFile());

  expect([status, banner?.hint]).toEqual([400, "Nothing was imported."]);
  expect(banner?.message).toMatch(message);
});

test("unpacks no more than 60 MB of a file that was made to be larger than it looks", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const ids = Array.from({ length: 50 }, (_, index) => `A${String(index).padStart(19, "0")}`);
  const bomb = createDataZip(
    Object.assign({}, ...ids.map((id) => createDraftFiles(id, {}, large))),
  );
  expect(bomb.length).toBeLessThan(1_000_000);

  const { report } = await importZip(app, cookie, bomb);

  const [, done] = /(\d+) drafts/.exec(report?.message ?? "") ?? [];
  expect(Number(done)).toBeLessThanOrEqual(43);
}, 60_000);

test("does not unpack a picture of more than 5 MB, which leaves room for the drafts", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const picture = `pictures/${"a".repeat(32)}.png`;
  const file = createDataZip({
    ...createDraftFiles(ID, {}, large),
    [picture]: " ".repeat(59_500_000),
  });

  const { report } = await importZip(app, cookie, file);

  expect(report?.message).toBe("Imported: 1 draft.");
  expect(report?.details.join("\n")).toContain(picture);
});

test("refuses a file of more than 20 MB before it is unpacked", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());

  const { status, banner } = await importZip(app, cookie, new Uint8Array(20_020_000));

  expect([status, banner?.message]).toEqual([400, "This file is too large."]);
});

test("imports without scripts, and says on the page what was imported", async () => {
  await using browser = await startPlainBrowser();
  const { email, password } = await browser.firebase.addAccount();
  await browser.post("/login", { email, password });
  const page = await browser.get("/profile?tab=data");

  const file = new File([new Uint8Array(createDataZip(createDraftFiles(ID)))], "inkglade.zip");
  const imported = await browser.submit(page, "Import", {}, { file });
  const empty = await browser.submit(page, "Import");

  expect(imported.html).toContain("Imported: 1 draft.");
  expect(imported.html).toContain("Nothing is posted again.");
  expect(readBanner(empty)).toContain("Choose a file first.");
});

test("imports only into the account of the page, and only for signed-in users", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const { action } = await import("#app/routes/profile.tsx");
  const body = new FormData();
  body.set("uid", "somebody-else");
  body.set("file", new Blob([new Uint8Array(createDataZip(createDraftFiles(ID)))]));
  const path = "/profile?tab=data&import=1";

  const other = await app.send(action, path, { body, cookie });
  const visitor = await app.send(action, path, { body });

  expect(other.status).toBe(401);
  expect([visitor.status, visitor.headers.get("Location")]).toEqual([303, "/login"]);
});

/** Fills an account with one of each kind, through the forms. */
async function fillAccount(app: TestApp, cookie: string) {
  await publishStory(app.firebase.hosts, {
    id: "the-tide-ledger-0123456789",
    title: "Tide",
    text: "It.",
  });
  const send = (form: Record<string, string>) => app.send(create, "/create", { form, cookie });
  const published = createDraftForm({
    ...{ intent: "publish", text: "Once.", description: "A tale", language: "pt" },
  });
  await send(published);
  await send({ ...published, revision: "1", text: "Twice." });
  await send({ ...published, intent: "save", revision: "2", text: "\uFEFFThrice 🌊 é.\n\n---\n" });
  await send({ ...published, intent: "save-version", revision: "3", text: "Not chosen" });
  await send(createDraftForm({ text: "", title: "" }));
  await send(
    createDraftForm({ text: "长".repeat(250_000), title: "长", cover: "drawing:3", tags: "" }),
  );
  await send(
    createDraftForm({ intent: "publish", text: "# One\n\nWords", title: "Ongoing", ongoing: "on" }),
  );
  const trashed = createDraftForm({ text: "Trash" });
  await send(trashed);
  await send({ intent: "trash", id: trashed.id, revision: "1" });
  await save(app, cookie, POSITION);
  const story = "what-the-heron-keeps";
  await app.send(changeSaved, "/saved", { form: { intent: "save", story, returnTo: "/" }, cookie });
  const follow = { intent: "follow", writer: "ana", returnTo: "/" };
  await app.send(changeFollowing, "/following", { form: follow, cookie });
  const tag = { intent: "hide", tag: "horror", returnTo: "/" };
  await app.send(changeHiddenItems, "/hidden", { form: tag, cookie });
  const hide = { intent: "hide", person: "tomas", name: "Tomas Lund" };
  await app.send(changeHidden, "/rooms/general/hidden", { form: hide, cookie });
}

function save(app: TestApp, cookie: string, position: typeof POSITION) {
  const form = { position: JSON.stringify(position) };
  return app.send(savePosition, "/reading-positions", { form, cookie });
}

function toSaved(id: string) {
  return { id, title: "T", author: "A", writer: "w", cover: "", minutes: 1 };
}

/** Returns the files that an import brings back, without what begins again in another account. */
function toImportable(files: Files): Record<string, unknown> {
  const kept = Object.entries(files).filter(([name]) => /^(drafts|library|hidden)/.test(name));
  return Object.fromEntries(
    kept.map(([name, text]) => {
      // The imported versions have other ids, which no version of the account itself can have.
      const sameName = name.replace(/(versions\/\d+)-[0-9a-f]{20}\./, "$1.");
      if (!name.endsWith(".json")) return [sameName, text];
      const omitted = name.endsWith("draft.json") ? NEW_DRAFT_FIELDS : ["id", "hiddenAt"];
      const json: unknown = JSON.parse(text, (key, value: unknown) =>
        omitted.includes(key) && !name.startsWith("library") ? undefined : value,
      );
      return [sameName, json];
    }),
  );
}
