import { readFile } from "node:fs/promises";

import { expect, test } from "vitest";
import * as z from "zod";

import { createDocumentId } from "#app/firebase/document-id.ts";
import { loader as anyPath } from "#app/routes/$.ts";
import { action as createAction } from "#app/routes/create.tsx";
import { loader } from "#app/routes/home.tsx";
import { bookListSchema } from "#app/stories/book-schema.ts";
import { findBooks } from "#app/stories/book.ts";
import { sampleItems } from "#app/stories/sample-items.server.ts";
import { expectConsoleError } from "#tests/support/console.ts";
import {
  signIn,
  startApp,
  toCookieHeader,
  type SendOptions,
  type TestApp,
} from "#tests/support/routes.ts";

const pageSchema = z.object({
  books: bookListSchema,
  search: z.object({
    query: z.string(),
    type: z.string().optional(),
    findings: z.array(z.object({ title: z.string(), type: z.string(), readLink: z.string() })),
  }),
  newStories: z.array(z.object({ title: z.string(), author: z.string(), readLink: z.string() })),
  questNotice: z.number().nullable(),
});

async function load(app: TestApp, path: string, options?: SendOptions) {
  const { data, headers } = await app.send(loader, path, options);
  const page = pageSchema.parse(data);
  return { ...page, titles: page.search.findings.map(({ title }) => title), headers };
}

/** Deploys a file as the list of books, as Pages binds it beside the functions. */
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

test("the list of this build has books with exactly an id, a title and a cover that exists", async () => {
  const list: unknown = JSON.parse(await readFile("public/assets/jsons/books.json", "utf8"));

  const strict = z.array(
    z.strictObject({ id: z.string(), title: z.string(), coverPhoto: z.string() }),
  );
  const books = strict.parse(list);

  expect(books).toHaveLength(12);
  for (const { coverPhoto } of books) await readFile(`public${coverPhoto}`);
});

test("the books are those of the deployed list, in its order", async () => {
  await using app = await startApp();
  const books = [
    { ...book, id: "z" },
    { ...book, id: "a" },
  ];
  const paths = deploy(app, () => Response.json(books));

  expect(await load(app, "/home")).toMatchObject({ books });
  expect(paths).toEqual(["/assets/jsons/books.json"]);
});

test("where no files are deployed, the books are those of this build", async () => {
  await using app = await startApp();

  const { books } = await load(app, "/home");

  expect(books).toHaveLength(12);
  expect(books[0]?.id).toBe("the-lamplighters-orchard");
});

test.each([
  ["missing", () => new Response("Not found", { status: 404 })],
  ["no JSON", () => new Response("[{")],
  ["no list", () => Response.json({ books: [book] })],
  ["a list of something else", () => Response.json([{ name: "A Book" }])],
  ["empty", () => Response.json([])],
  ["out of reach", () => Promise.reject(new Error("The network is down."))],
])("a list that is %s leaves a page without books", async (_what, respond) => {
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
])("browser and server judge the list %j alike", (list) => {
  expect(findBooks(list)).toEqual(bookListSchema.safeParse(list).data);
});

test("the dashboard lists five books and six quests, each with its own kind of link", async () => {
  await using app = await startApp();

  const { search } = await load(app, "/home");

  expect(sampleItems.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  expect(search.findings.filter(({ type }) => type === "book")).toHaveLength(5);
  expect(search.findings.filter(({ type }) => type === "quest")).toHaveLength(6);
  for (const { type, readLink } of search.findings) {
    expect(readLink).toMatch(type === "book" ? /^\/read\/[a-z-]+$/ : /^\/quest\/[a-z-]+$/);
  }
});

test.each(sampleItems)("the picture of $title exists", async ({ imgPath }) => {
  expect(await readFile(`public${imgPath}`, "utf8")).toContain("<svg");
});

test.each([
  ["book", 5],
  ["quest", 6],
  ["poem", 11],
  ["", 11],
])("the filter %j leaves %i", async (type, count) => {
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
])("the search for %j finds %j, in the list or among the books", async (query, titles) => {
  await using app = await startApp();

  expect(await load(app, `/home?q=${encodeURIComponent(query)}`)).toMatchObject({ titles });
});

test("search and filter work together", async () => {
  await using app = await startApp();

  expect((await load(app, "/home?q=moon&type=book")).titles).toEqual(["The Understudy Moon"]);
  expect((await load(app, "/home?q=moon&type=quest")).titles).toEqual([]);
});

test("a search of spaces is none", async () => {
  await using app = await startApp();

  expect(await load(app, "/home?q=%20%20")).toMatchObject({ search: { query: "" } });
});

test("the id of a book that is found may be anything", async () => {
  await using app = await startApp();
  deploy(app, () => Response.json([{ ...book, id: "a/b?c", title: "Odd" }]));

  const { search } = await load(app, "/home?q=odd");

  expect(search.findings[0]?.readLink).toBe("/read/a%2Fb%3Fc");
});

test("whoever follows a quest is told once that it is not open", async () => {
  await using app = await startApp();
  const headers = { Accept: "text/html" };

  const away = await app.send(anyPath, "/quest/the-glass-apiary", { headers });
  expect(away.status).toBe(302);
  expect(away.headers.get("Location")).toBe("/home");

  const told = await load(app, "/home", { cookie: toCookieHeader(away.headers) });
  expect(told.questNotice).not.toBeNull();
  expect(told.headers.get("Set-Cookie")).toMatch(/^flash=; Max-Age=0; Path=\/; /);

  expect(await load(app, "/home")).toMatchObject({ questNotice: null });
});

test.each(["/no/such/page", "/quest", "/quest/a/b"])(
  "nobody who comes by %s is told about quests",
  async (path) => {
    await using app = await startApp();

    const away = await app.send(anyPath, path, { headers: { Accept: "text/html" } });

    expect(away.headers.get("Location")).toBe("/home");
    expect(away.headers.get("Set-Cookie")).toBeNull();
  },
);

test("what was published stands on the dashboard, and is found by title, author and tag", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount({ displayName: "Ana Reyes" }));
  const draft = { intent: "publish", id: createDocumentId(), revision: "0" };
  const form = { ...draft, title: "Salt and Sand", text: "The tide came in.", tags: "shore" };
  await app.send(createAction, "/create", { form, cookie });

  const { newStories, titles } = await load(app, "/home");
  expect(newStories).toMatchObject([{ title: "Salt and Sand", author: "Ana Reyes" }]);
  expect(newStories[0]?.readLink).toMatch(/^\/read\/salt-and-sand-\d{10}$/);
  expect(titles).toHaveLength(11);

  for (const query of ["sand", "reyes", "shore"]) {
    expect((await load(app, `/home?q=${query}`)).titles).toContain("Salt and Sand");
  }
  expect((await load(app, "/home?q=sand&type=quest")).titles).toEqual([]);
});

test("a database that is down is told apart from a search that finds nothing", async () => {
  expectConsoleError();
  await using app = await startApp();
  const cut = app.withVariables({ FIRESTORE_EMULATOR_HOST: "127.0.0.1:1" });
  const cookie = await signIn(app, await app.firebase.addAccount());

  const page = await cut.send(loader, "/home?q=rain", { cookie });

  expect(page.status).toBe(200);
  expect(page.data).toMatchObject({
    search: { isPartial: true, findings: [{ title: "A Cartographer of Rain" }] },
    newStories: null,
    arePlacesUnreachable: true,
  });
  expect(await app.send(loader, "/home?q=rain", { cookie })).toMatchObject({
    data: { search: { isPartial: false }, newStories: [], arePlacesUnreachable: false },
  });
});
