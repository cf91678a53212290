import { expect, test } from "vitest";

import { decodePng, type IndexedPng } from "#app/stories/picture/png.server.ts";
import { createAppHandler } from "#tests/support/app-handler.ts";
import { expectConsoleError } from "#tests/support/console.ts";
import { deleteStory, publishStory } from "#tests/support/stories.ts";
import { startApp, type TestApp } from "#tests/support/routes.ts";

/** Right of it is the cover. */
const TEXT_END = 740;

/** The indexes of the title's ink, from its edges to the full colour, and of the name's. */
const TITLE_INK = { first: 1, last: 15 };
const AUTHOR_INK = { first: 16, last: 30 };

test.each([
  ["a short title", "Salt"],
  ["a title with accents", "Những ngọn đèn mùa đông"],
  ["a Cyrillic title", "Мастер и Маргарита"],
  ["a Greek title", "Η Οδύσσεια των νερών"],
  ["a title with emoji", "Dragons 🐉 and dust"],
])("the picture of a published story shows %s and the writer", async (_, title) => {
  await using app = await startApp();
  await publishStory(app.firebase.hosts, { id: "salt-0123456789", title, text: "Salt." });

  const { response, png } = await getPicture(app, "/read/salt-0123456789.png");

  expect(response.headers.get("Content-Type")).toBe("image/png");
  expect(response.headers.get("Cache-Control")).toBe("public, max-age=86400");
  expect(png).toMatchObject({ width: 1200, height: 630 });
  expect(count(png, TITLE_INK)).toBeGreaterThan(1000);
  expect(count(png, AUTHOR_INK)).toBeGreaterThan(300);
});

test("the longest titles and names stay beside the cover", async () => {
  await using app = await startApp();
  const story = { text: "Salt." };
  const title = "The account of a winter ".repeat(12).trim();
  const author = "Featherstonehaugh ".repeat(8).trim();
  await publishStory(app.firebase.hosts, { ...story, id: "long-0000000000", title, author });
  await publishStory(app.firebase.hosts, {
    ...{ ...story, id: "long-0000000001" },
    title: "W".repeat(300),
  });

  for (const id of ["long-0000000000", "long-0000000001"]) {
    const { png } = await getPicture(app, `/read/${id}.png`);
    const { columns, rows } = findInk(png);
    expect(columns[0], id).toBeGreaterThan(70);
    expect(columns[1], id).toBeLessThan(TEXT_END);
    expect(rows[0], id).toBeGreaterThan(40);
    // The site's name begins there.
    expect(rows[1], id).toBeLessThan(515);
  }
});

test("the lines of a title are one below the other", async () => {
  await using app = await startApp();
  const { hosts } = app.firebase;
  await publishStory(hosts, { id: "salt-0123456789", title: "Salt", text: "Salt." });
  const title = "The account of a winter by the sea";
  await publishStory(hosts, { id: "sand-0123456789", title, text: "Sand." });

  const one = findInk((await getPicture(app, "/read/salt-0123456789.png")).png).rows;
  const two = findInk((await getPicture(app, "/read/sand-0123456789.png")).png).rows;

  // As large as the title of one line.
  expect(two[1] - two[0]).toBeGreaterThan(one[1] - one[0] + 84);
});

test.each([
  ["Chinese", "红楼梦", "三体"],
  ["Arabic", "ألف ليلة وليلة", "شهرزاد"],
])("a %s title, which no font has, is replaced by a line about the site", async (_, one, other) => {
  await using app = await startApp();
  const { hosts } = app.firebase;
  await publishStory(hosts, { id: "salt-0123456789", title: one, text: "Salt." });
  await publishStory(hosts, { id: "sand-0123456789", title: other, text: "Sand." });

  const first = await getPicture(app, "/read/salt-0123456789.png");
  const second = await getPicture(app, "/read/sand-0123456789.png");

  expect(count(first.png, TITLE_INK)).toBeGreaterThan(1000);
  expect(count(first.png, TITLE_INK)).toBe(count(second.png, TITLE_INK));
  expect(count(first.png, AUTHOR_INK)).toBe(0);
});

test("a built-in story has a picture with its own cover", async () => {
  await using app = await startApp();

  const orchard = await getPicture(app, "/read/the-lamplighters-orchard.png");
  const engine = await getPicture(app, "/read/the-last-warm-engine.png");

  expect(orchard.png).toMatchObject({ width: 1200, height: 630 });
  expect(orchard.png.palette).not.toEqual(engine.png.palette);
});

test("a changed title is in the next picture", async () => {
  await using app = await startApp();
  const story = { id: "salt-0123456789", text: "Salt." };
  await publishStory(app.firebase.hosts, { ...story, title: "Salt" });
  const before = await getPicture(app, "/read/salt-0123456789.png");

  await publishStory(app.firebase.hosts, { ...story, title: "Malt" });
  const after = await getPicture(app, "/read/salt-0123456789.png");

  expect(after.png.rows).not.toEqual(before.png.rows);
});

test("HEAD has the headers of a picture and no body", async () => {
  await using app = await startApp();

  const response = await send(app, "/read/the-lamplighters-orchard.png", { method: "HEAD" });

  expect(response.status).toBe(200);
  expect(response.headers.get("Content-Type")).toBe("image/png");
  expect(await response.text()).toBe("");
});

test.each(["anything", "salt-0123456789", "..%2f..%2fmotifs", "m0"])(
  "there is no picture of the unknown story %s",
  async (id) => {
    await using app = await startApp();

    expect(await send(app, `/read/${id}.png`)).toMatchObject({ status: 404 });
  },
);

test("the picture of a withdrawn story is gone at once", async () => {
  await using app = await startApp();
  const { hosts } = app.firebase;
  await publishStory(hosts, { id: "salt-0123456789", title: "Salt", text: "Salt." });
  expect(await send(app, "/read/salt-0123456789.png")).toMatchObject({ status: 200 });

  await deleteStory(hosts, "salt-0123456789");

  expect(await send(app, "/read/salt-0123456789.png")).toMatchObject({ status: 404 });
});

test("asks programs to come back when the database does not respond", async () => {
  expectConsoleError();
  await using app = await startApp({ FIRESTORE_EMULATOR_HOST: "127.0.0.1:1" });

  const { status, headers } = await send(app, "/read/salt-0123456789.png");

  expect(status).toBe(503);
  expect(headers.get("Retry-After")).toBe("60");
  expect(headers.get("Cache-Control")).toBe("no-store");
});

test("a deployment without stories has no pictures of them", async () => {
  await using app = await startApp({ READER: "placeholder" });

  expect(await send(app, "/read/the-lamplighters-orchard.png")).toMatchObject({ status: 404 });
});

async function send(app: TestApp, path: string, init?: RequestInit): Promise<Response> {
  const handle = await createAppHandler(app.env);
  return handle(new Request(`http://localhost${path}`, init));
}

async function getPicture(app: TestApp, path: string) {
  const response = await send(app, path);
  const png = decodePng(new Uint8Array(await response.arrayBuffer()));
  return { response, png };
}

function count({ rows }: IndexedPng, { first, last }: typeof TITLE_INK): number {
  return rows.filter((index) => index >= first && index <= last).length;
}

/** Returns the first and the last column and row with text. */
function findInk({ width, rows }: IndexedPng) {
  const inked = Array.from(rows.entries()).flatMap(([at, index]) =>
    index >= TITLE_INK.first && index <= AUTHOR_INK.last ? [at] : [],
  );
  const columns = inked.map((at) => (at % (width + 1)) - 1);
  const lines = inked.map((at) => Math.floor(at / (width + 1)));
  const range = (values: number[]) =>
    [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))] as const;
  return { columns: range(columns), rows: range(lines) };
}
