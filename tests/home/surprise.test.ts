import { expect, test } from "vitest";

import { loader as homeLoader } from "#app/routes/home.tsx";
import { loader as readLoader } from "#app/routes/read.$id.tsx";
import { action, loader } from "#app/routes/surprise.ts";
import { addRecentStory, pickSurprise } from "#app/stories/catalogue.server.ts";
import { startApp, toCookieHeader } from "#tests/support/routes.ts";

const books = makeBooks(6);

function makeBooks(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    id: `book ${index}`,
    title: `Book ${index}`,
    cover: "",
  }));
}

/** Returns a request of a user who has opened these stories in this order. */
function createRequest(ids: string[]): Request {
  let request = new Request("http://localhost/surprise");
  for (const id of ids) {
    const cookie = addRecentStory(request, id).split(";")[0] ?? "";
    request = new Request(request, { headers: { Cookie: cookie } });
  }
  return request;
}

/** Returns every story that may be suggested next, sorted. */
function listSurprises(from: typeof books, opened: string[]) {
  const request = createRequest(opened);
  const picks = Array.from({ length: 100 }, (_, n) =>
    String(pickSurprise(from, request, n / 100)?.id),
  );
  return [...new Set(picks)].toSorted((a, b) => a.localeCompare(b));
}

test("redirects to a story and adds it to the recent ones", async () => {
  await using app = await startApp();

  const response = await app.send(action, "/surprise", { form: {} });

  expect(response.status).toBe(303);
  const path = response.headers.get("Location") ?? "";
  expect(path).toMatch(/^\/read\/[a-z-]+$/);
  expect(toCookieHeader(response.headers)).toContain(path.slice("/read/".length));
});

test("never suggests a story that the user has just opened", async () => {
  await using app = await startApp();
  const params = { id: "what-the-heron-keeps" };
  const { headers } = await app.send(readLoader, "/read/what-the-heron-keeps", { params });
  let cookie = toCookieHeader(headers);
  const paths: (string | null)[] = [];

  for (let count = 0; count < 11; count += 1) {
    const response = await app.send(action, "/surprise", { form: {}, cookie });
    cookie = toCookieHeader(response.headers);
    paths.push(response.headers.get("Location"));
  }

  expect(new Set(paths).size).toBe(11);
  expect(paths).not.toContain("/read/what-the-heron-keeps");
});

test("suggests all twelve before one repeats, and never one of the last three", async () => {
  await using app = await startApp();
  const paths: (string | null)[] = [];
  let cookie = "";

  for (let count = 0; count < 30; count += 1) {
    const { headers } = await app.send(action, "/surprise", { form: {}, cookie });
    cookie = toCookieHeader(headers);
    expect(paths.slice(-3)).not.toContain(headers.get("Location"));
    paths.push(headers.get("Location"));
  }

  expect(new Set(paths.slice(0, 12)).size).toBe(12);
});

test("suggests stories that were not opened as long as there are any", () => {
  expect(listSurprises(books, ["book 1", "book 4"])).toEqual([
    "book 0",
    "book 2",
    "book 3",
    "book 5",
  ]);
});

test("suggests none of the last three when all were opened", () => {
  const opened = ["book 4", "book 0", "book 1", "book 2", "book 3", "book 5", "book 1"];

  expect(listSurprises(books, opened)).toEqual(["book 0", "book 2", "book 4"]);
});

test("suggests a book even when there are only one or two", () => {
  expect(listSurprises(makeBooks(2), ["book 0", "book 1"])).toEqual(["book 0"]);
  expect(listSurprises(makeBooks(1), ["book 0"])).toEqual(["book 0"]);
});

test("limits the cookie and drops the oldest first", () => {
  const ids = Array.from({ length: 200 }, (_, index) => `a story with a long name ${index}`);
  const cookie = createRequest(ids).headers.get("Cookie") ?? "";

  expect(cookie.length).toBeLessThan(1100);
  expect(cookie).toContain(encodeURIComponent("name 199"));
  expect(createRequest(["x".repeat(5000)]).headers.get("Cookie")).toBe("recent=%5B%5D");
});

test("reads no more stories from the cookie than fit into it", () => {
  const many = makeBooks(300);
  const value = encodeURIComponent(JSON.stringify(many.map(({ id }) => id)));
  const headers = { Cookie: `recent=${value}` };
  const request = new Request("http://localhost/surprise", { headers });

  expect(pickSurprise(many, request, 0)).toEqual(many[100]);
});

test.each(["recent=nonsense", "recent=%7B%7D", "recent=%5B1%2Cnull%5D"])(
  "ignores the damaged cookie %j",
  (cookie) => {
    const request = new Request("http://localhost/surprise", { headers: { Cookie: cookie } });

    expect(pickSurprise(books, request, 0)).toEqual(books[0]);
  },
);

test("redirects to /home without any books", async () => {
  await using app = await startApp();
  Object.assign(app.env, { ASSETS: { fetch: async () => Response.json([]) } });

  const response = await app.send(action, "/surprise", { form: {} });

  expect(response.headers.get("Location")).toBe("/home");
});

test("never suggests a book without a story", async () => {
  await using app = await startApp();
  const empty = { id: "an-empty-book", title: "An Empty Book", coverPhoto: "" };
  const full = { id: "what-the-heron-keeps", title: "What the Heron Keeps", coverPhoto: "" };
  Object.assign(app.env, { ASSETS: { fetch: async () => Response.json([empty, full]) } });

  for (let count = 0; count < 3; count += 1) {
    const response = await app.send(action, "/surprise", { form: {} });
    expect(response.headers.get("Location")).toBe("/read/what-the-heron-keeps");
  }
  expect((await app.send(homeLoader, "/home")).data).toMatchObject({
    firstStory: "what-the-heron-keeps",
  });
});

test("redirects a GET request to /home", async () => {
  await using app = await startApp();

  expect((await app.send(loader, "/surprise")).headers.get("Location")).toBe("/home");
});
