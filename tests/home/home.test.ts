import { readFile } from "node:fs/promises";

import { expect, test } from "vitest";
import * as z from "zod";

import { createDocumentId } from "#app/firebase/document-id.ts";
import { loader as anyPath } from "#app/routes/$.ts";
import { action as followingAction } from "#app/routes/following.ts";
import { action as createAction } from "#app/routes/create.tsx";
import { loader } from "#app/routes/home.tsx";
import { bookListSchema } from "#app/stories/catalogue.server.ts";
import { readBooks } from "#app/stories/book.ts";
import { sampleItems } from "#app/stories/sample-items.server.ts";
import { expectConsoleError } from "#tests/support/console.ts";
import { signIn, startApp, type SendOptions, type TestApp } from "#tests/support/routes.ts";
import { publishStory } from "#tests/support/stories.ts";

const pageSchema = z.object({
  books: z.array(z.object({ id: z.string(), title: z.string(), cover: z.string() })),
  page: z.object({
    query: z.string(),
    type: z.string().optional(),
    results: z.array(z.object({ title: z.string(), type: z.string(), readLink: z.string() })),
  }),
});

async function load(app: TestApp, path: string, options?: SendOptions) {
  const { data } = await app.send(loader, path, options);
  const page = pageSchema.parse(data);
  return { ...page, titles: page.page.results.map(({ title }) => title) };
}

/** Serves the list of books with `respond`, in place of the static files that Pages binds to the functions. */
function deploy(app: TestApp, respond: () => Response | Promise<Response>) {
  const paths: string[] = [];
  const ASSETS = {
    fetch: async (url: URL) => {
      paths.push(url.pathname);
      return await respond();
    },
  };
  Object.assign(app.env, { ASSETS });
  return paths;
}

const book = { id: "1", title: "A Book", coverPhoto: "/a.svg" };

test("has an id, a title and an existing cover for every book of this build", async () => {
  const list: unknown = JSON.parse(await readFile("public/assets/jsons/books.json", "utf8"));

  const strict = z.array(
    z.strictObject({ id: z.string(), title: z.string(), coverPhoto: z.string() }),
  );
  const books = strict.parse(list);

  expect(books).toHaveLength(12);
  for (const { coverPhoto } of books) await readFile(`public${coverPhoto}`);
});

test("shows the books of the deployed list, in its order", async () => {
  await using app = await startApp();
  const deployed = [
    { ...book, id: "z" },
    { ...book, id: "a" },
  ];
  const paths = deploy(app, () => Response.json(deployed));

  const books = deployed.map(({ coverPhoto: cover, ...names }) => ({ ...names, cover }));
  expect(await load(app, "/home")).toMatchObject({ books });
  expect(paths).toEqual(["/assets/jsons/books.json"]);
});

test("shows the books of this build if no files are deployed", async () => {
  await using app = await startApp();

  const { books } = await load(app, "/home");

  expect(books).toHaveLength(12);
  expect(books[0]?.id).toBe("the-lamplighters-orchard");
});

test.each([
  ["missing", () => new Response("Not found", { status: 404 })],
  ["not JSON", () => new Response("[{")],
  ["not a list", () => Response.json({ books: [book] })],
  ["a list of something else", () => Response.json([{ name: "A Book" }])],
  ["empty", () => Response.json([])],
  ["unreachable", () => Promise.reject(new Error("The network is down."))],
])("shows no books for a list that is %s", async (_what, respond) => {
  await using app = await startApp();
  deploy(app, respond);

  const page = await load(app, "/home");

  expect(page.books).toEqual([]);
  expect(page.titles).toHaveLength(11);
});

test.each([
  [[book]],
  [[]],
  [[{ ...book, id: 7 }]],
  [[{ id: "1", title: "No cover" }]],
  [[{ ...book, coverPhoto: null }]],
  [[{ ...book, more: true }]],
  [[{ ...book, id: "" }]],
  [[{ ...book, id: null }]],
  [[{ ...book, title: "" }]],
  [[{ ...book, title: 7 }]],
  [[book, null]],
  [{ 0: book }],
  ["books"],
  [null],
])("parses the list %j in the browser as on the server", (list) => {
  expect(readBooks(list)).toEqual(bookListSchema.safeParse(list).data ?? null);
});

test("lists five books and six quests with their links", async () => {
  await using app = await startApp();

  const { page } = await load(app, "/home");

  expect(sampleItems.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  expect(page.results.filter(({ type }) => type === "book")).toHaveLength(5);
  expect(page.results.filter(({ type }) => type === "quest")).toHaveLength(6);
  for (const { type, readLink } of page.results) {
    expect(readLink).toMatch(type === "book" ? /^\/read\/[a-z-]+$/ : /^\/quest\/[a-z-]+$/);
  }
});

test.each(sampleItems)("has the image of $title", async ({ imgPath }) => {
  expect(await readFile(`public${imgPath}`, "utf8")).toContain("<svg");
});

test.each([
  ["book", 5],
  ["quest", 6],
  ["poem", 11],
  ["", 11],
])("filters by %j and shows %i items", async (type, count) => {
  await using app = await startApp();

  expect((await load(app, `/home?type=${type}`)).titles).toHaveLength(count);
});

test.each([
  ["rain", ["A Cartographer of Rain"]],
  ["  RAIN  mapmaker ", ["A Cartographer of Rain"]],
  ["lamplighters", ["The Lamplighter's Orchard"]],
  ["lamplighter’s", ["The Lamplighter's Orchard"]],
  ["drowned", ["The Bell Beneath the Lake"]],
  ["heron", ["What the Heron Keeps"]],
  ["hérön", ["What the Heron Keeps"]],
  ["clock", ["Salt for the Clockmaker"]],
  ["no such story", []],
])("finds %j: %j", async (query, titles) => {
  await using app = await startApp();

  expect(await load(app, `/home?q=${encodeURIComponent(query)}`)).toMatchObject({ titles });
});

test("combines search and filter", async () => {
  await using app = await startApp();

  expect((await load(app, "/home?q=moon&type=book")).titles).toEqual(["The Understudy Moon"]);
  expect((await load(app, "/home?q=moon&type=quest")).titles).toEqual([]);
});

test("ignores a search of spaces", async () => {
  await using app = await startApp();

  expect(await load(app, "/home?q=%20%20")).toMatchObject({ page: { query: "" } });
});

test("encodes the id of a book in its link", async () => {
  await using app = await startApp();
  deploy(app, () => Response.json([{ ...book, id: "a/b?c", title: "Odd" }]));

  const { page } = await load(app, "/home?q=odd");

  expect(page.results[0]?.readLink).toBe("/read/a%2Fb%3Fc");
});

test.each(["/no/such/page", "/quest", "/quest/a/b"])(
  "explains nothing about quests after %s",
  async (path) => {
    await using app = await startApp();

    const response = await app.send(anyPath, path, { headers: { Accept: "text/html" } });

    expect(response.headers.get("Location")).toBe("/home");
    expect(response.headers.get("Set-Cookie")).toBeNull();
  },
);

test("finds a published story by title, author and tag", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount({ displayName: "Ana Reyes" }));
  const draft = { intent: "publish", id: createDocumentId(), revision: "0" };
  const form = { ...draft, title: "Salt and Sand", text: "The tide came in.", tags: "shore" };
  await app.send(createAction, "/create", { form, cookie });

  expect((await load(app, "/home")).titles).toHaveLength(11);
  const { page } = await load(app, "/home?type=story");
  expect(page.results).toMatchObject([{ title: "Salt and Sand", type: "story" }]);
  expect(page.results[0]?.readLink).toMatch(/^\/read\/salt-and-sand-\d{10}$/);

  for (const query of ["sand", "reyes", "shore"]) {
    expect((await load(app, `/home?q=${query}`)).titles).toContain("Salt and Sand");
  }
  expect((await load(app, "/home?q=sand&type=quest")).titles).toEqual([]);
});

test("shows the eight latest stories of writers that the user follows", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  for (let day = 1; day <= 9; day += 1) {
    await publishStory(app.firebase.hosts, {
      ...{ id: `salt-000000000${day}`, title: `Salt ${day}`, text: "Salt." },
      publishedAt: `2026-01-0${day}T00:00:00Z`,
    });
  }
  const form = { intent: "follow", writer: "ana" };
  await app.send(followingAction, "/following", { cookie, form });

  const { data } = await app.send(loader, "/home", { cookie });

  const titles = [9, 8, 7, 6, 5, 4, 3, 2].map((day) => ({ title: `Salt ${day}` }));
  expect(data).toMatchObject({ newStories: titles });
});

test("distinguishes an unavailable database from a search without results", async () => {
  expectConsoleError();
  await using app = await startApp();
  const disconnected = app.withVariables({ FIRESTORE_EMULATOR_HOST: "127.0.0.1:1" });
  const cookie = await signIn(app, await app.firebase.addAccount());
  const form = { intent: "follow", writer: "inkglade" };
  await app.send(followingAction, "/following", { cookie, form });

  const page = await disconnected.send(loader, "/home?q=rain", { cookie });

  expect(page.status).toBe(200);
  expect(page.data).toMatchObject({
    page: { isPartial: true, results: [{ title: "A Cartographer of Rain" }] },
    isInProgressPartial: true,
  });
  // Without its lists, the page does not know which writers the user follows.
  expect(await disconnected.send(loader, "/home", { cookie })).toMatchObject({
    data: { newStories: [], lines: { "what-the-heron-keeps": null } },
  });
  expect(await app.send(loader, "/home?q=rain", { cookie })).toMatchObject({
    data: { page: { isPartial: false }, isInProgressPartial: false },
  });
  expect(await app.send(loader, "/home", { cookie })).toMatchObject({ data: { newStories: [] } });
});
