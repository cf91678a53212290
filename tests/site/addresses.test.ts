import { expect, test } from "vitest";

import * as splatRoute from "#app/routes/$.ts";
import { loader as readLoader } from "#app/routes/read.$id.tsx";
import { startApp } from "#tests/support/routes.ts";
import { onRequest } from "../../functions/_middleware.ts";

const ORIGIN = "https://inkglade.example";

/** The headers of a browser's navigation. */
const NAVIGATION = {
  Accept: "text/html,application/xhtml+xml,*/*;q=0.8",
  "Sec-Fetch-Mode": "navigate",
};

/** The headers of other clients, such as curl. */
const CURL = { Accept: "*/*" };

/** The headers of Node's `fetch`, which link checkers use. */
const NODE = { Accept: "text/html", "Sec-Fetch-Mode": "cors" };

function send(path: string, init: RequestInit = { headers: NAVIGATION }) {
  const request = new Request(ORIGIN + path, init);
  return onRequest({ request, next: () => Promise.resolve(new Response("the app")) });
}

test.each([
  ["//", "/home"],
  ["///", "/home"],
  ["//foo", "/home"],
  ["//home", "/home"],
  ["/read//a-book", "/home"],
  ["//evil.example", "/evil.example"],
  ["//evil.example//", "/evil.example"],
  [String.raw`/\evil.example/x`, "/home"],
  ["/%2e%2e//evil", "/home"],
  ["/home//", "/home"],
  ["/home//?q=rain", "/home?q=rain"],
  ["/read/a-book//", "/read/a-book"],
  ["//foo.data", "/foo.data"],
  ["/assets//nope.svg", "/assets/nope.svg"],
])("%s, for which Pages runs no function, redirects to %s", async (path, to) => {
  const response = await send(path);

  expect(response.status).toBe(302);
  expect(response.headers.get("Location")).toBe(to);
  expect(new URL(to, ORIGIN).origin).toBe(ORIGIN);
});

test.each([
  ["/", {}],
  ["/home", {}],
  ["/home/", {}],
  ["/home?q=//", {}],
  ["//login", { method: "POST", headers: { Origin: ORIGIN } }],
])("%s is passed to the app", async (path, init) => {
  expect(await (await send(path, init)).text()).toBe("the app");
});

test.each([
  ["POST", `/${"/".repeat(16_000)}x`],
  ["GET", `/read/${"a".repeat(2000)}`],
])("a %s redirects to /home from an address longer than any page's: %#", async (method, path) => {
  const response = await send(path, { method, headers: { Origin: ORIGIN } });

  expect([response.status, response.headers.get("Location")]).toEqual([302, "/home"]);
  expect(await (await send(`/read/${"a".repeat(1500)}`)).text()).toBe("the app");
});

test.each([
  "/no/such/page",
  "/quest/the-glass-apiary",
  "/HOME",
  "/read",
  "/foo.bar",
  "/v1.2",
  "/evil.example",
  "/index.html",
  "/.env",
  "/%5Cevil.example",
  "/a.b/c",
])("the unknown page %s redirects to /home", async (path) => {
  await using app = await startApp();

  for (const headers of [NAVIGATION, CURL, NODE]) {
    const response = await app.send(splatRoute.loader, path, { headers });
    expect([response.status, response.headers.get("Location")]).toEqual([302, "/home"]);
  }
});

test("a client-side navigation to an unknown page redirects to /home as well", async () => {
  await using app = await startApp();
  const headers = { Accept: "*/*", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty" };
  const request = new Request(`${ORIGIN}/foo.bar`, { headers });
  const context = app.contextFor(new Request(`${ORIGIN}/foo.bar.data`, { headers }));

  expect(splatRoute.loader({ request, params: {}, context })).toMatchObject({ status: 302 });
});

test.each([
  ["/favicon.ico", NAVIGATION],
  ["/assets/nope", NAVIGATION],
  ["/fonts/nope.bar", NAVIGATION],
  ["/story.epub", NAVIGATION],
  ["/feed.xml", CURL],
  ["/story.epub", NODE],
  ["/foo.bar", { Accept: "*/*", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty" }],
  ["/foo", { Accept: "image/avif,*/*;q=0.8", "Sec-Fetch-Mode": "no-cors" }],
  ["/foo", { Accept: "image/avif,*/*;q=0.8" }],
  ["/foo", { Accept: "application/json" }],
])("%s is a missing file for a request with %j", async (path, headers) => {
  await using app = await startApp();

  expect(await app.send(splatRoute.loader, path, { headers })).toMatchObject({ status: 404 });
});

test.each(["x.epub", "x.EPUB", "x.pdf", "a.b.mobi"])(
  "the file /read/%s is missing, with and without the reader",
  async (id) => {
    await using app = await startApp();
    const appWithoutReader = app.withVariables({ READER: "placeholder" });

    for (const target of [app, appWithoutReader]) {
      const response = target.send(readLoader, `/read/${id}`, {
        params: { id },
        headers: NAVIGATION,
      });
      expect(await response).toMatchObject({ status: 404 });
    }
  },
);

test.each(["a.b", "x.html", "v1.2", "evil.example", "1.", "epub"])(
  "/read/%s is a reading page",
  async (id) => {
    await using app = await startApp();

    const response = await app.send(readLoader, `/read/${id}`, {
      params: { id },
      headers: NAVIGATION,
    });

    expect(response).toMatchObject({ status: 200, data: { story: null } });
  },
);
