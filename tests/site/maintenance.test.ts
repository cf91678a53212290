import { afterEach, expect, test, vi } from "vitest";

import { action, loader } from "#app/root.tsx";
import { onRequest } from "../../functions/_middleware.ts";

const ORIGIN = "https://inkglade.example";

/** How long an isolate may take to notice a changed switch, in milliseconds. */
const SWITCH_MS = 10_000;

type Env = NonNullable<Parameters<typeof onRequest>[0]["env"]>;

afterEach(() => void vi.useRealTimers());

/** Sends a request through the middleware. Returns the response and the requests that reached the app. */
async function send(
  env: Env,
  path = "/home",
  init?: RequestInit,
  waitUntil?: (promise: Promise<unknown>) => void,
) {
  const received: Request[] = [];
  const data: { isUnderMaintenance?: boolean } = {};
  const request = new Request(ORIGIN + path, init);
  const next = async (changed = request) => {
    received.push(changed);
    return new Response("the app", { headers: { "Cache-Control": "private" } });
  };
  return {
    response: await onRequest({ request, env, data, next, ...(waitUntil && { waitUntil }) }),
    received,
    data,
  };
}

function createStore(get: () => Promise<string | null>) {
  return { SWITCHES: { get } };
}

test.each([
  ["the variable is 1", { MAINTENANCE: "1" }],
  ["the variable is true", { MAINTENANCE: "true" }],
  ["the stored switch is 1", createStore(async () => "1")],
  ["the stored switch is true", { MAINTENANCE: "0", ...createStore(async () => "true") }],
])("when %s, responds with a 503 that is not cached and says when to retry", async (_when, env) => {
  const { response, data } = await send(env);

  expect(response.status).toBe(503);
  expect(response.headers.get("Retry-After")).toBe("600");
  expect(response.headers.get("Cache-Control")).toBe("no-store");
  expect(await response.text()).toBe("the app");
  expect(data.isUnderMaintenance).toBe(true);
});

test.each([
  ["nothing is set", {}],
  ["the variable is empty", { MAINTENANCE: "" }],
  ["the variable is 0", { MAINTENANCE: "0" }],
  ["the variable is false", { MAINTENANCE: "false" }],
  ["the stored switch is missing", createStore(async () => null)],
  ["the store fails", createStore(() => Promise.reject(new Error("down")))],
])("when %s, the app is open", async (_when, env) => {
  const { response, received, data } = await send(env, "/home?x=1");

  expect(response.status).toBe(200);
  expect(received.map(({ url }) => url)).toEqual([`${ORIGIN}/home?x=1`]);
  expect(data.isUnderMaintenance).toBeUndefined();
});

test("a store that never responds delays a page by at most 200 ms, and the app is open", async () => {
  vi.useFakeTimers();
  const get = vi.fn(() => new Promise<never>(() => {}));
  const env = createStore(get);
  const startedAt = Date.now();
  const sent = send(env);

  await vi.advanceTimersByTimeAsync(200);

  expect((await sent).response.status).toBe(200);
  expect(Date.now() - startedAt).toBe(200);
  // The next pages do not wait at all.
  expect((await send(env)).response.status).toBe(200);
  expect(Date.now() - startedAt).toBe(200);
  expect(get).toHaveBeenCalledTimes(1);
});

test("the switch is read once in ten seconds, and takes effect within that time", async () => {
  vi.useFakeTimers();
  let value = "0";
  const get = vi.fn(async () => value);
  const env = createStore(get);
  const findStatus = async () => (await send(env)).response.status;
  expect(await findStatus()).toBe(200);

  value = "1";
  vi.setSystemTime(Date.now() + SWITCH_MS - 1);
  expect(await findStatus()).toBe(200);
  expect(get).toHaveBeenCalledTimes(1);
  vi.setSystemTime(Date.now() + 1);
  expect(await findStatus()).toBe(503);

  value = "0";
  vi.setSystemTime(Date.now() + SWITCH_MS);
  expect(await findStatus()).toBe(200);
});

test("maintenance continues until the store responds that it has ended", async () => {
  vi.useFakeTimers();
  const get = vi.fn(async (): Promise<string | null> => "1");
  const env = createStore(get);
  const findStatus = async () => (await send(env)).response.status;
  expect(await findStatus()).toBe(503);

  get.mockRejectedValue(new Error("down"));
  vi.setSystemTime(Date.now() + SWITCH_MS);
  expect(await findStatus()).toBe(503);

  get.mockResolvedValue("0");
  vi.setSystemTime(Date.now() + SWITCH_MS);
  expect(await findStatus()).toBe(200);
});

test("a late response of the store counts for the next pages", async () => {
  vi.useFakeTimers();
  const env = createStore(() => new Promise((resolve) => void setTimeout(() => resolve("1"), 300)));
  const later: Promise<unknown>[] = [];
  const waitUntil = (promise: Promise<unknown>) => void later.push(promise);
  const first = send(env, "/home", {}, waitUntil);

  await vi.advanceTimersByTimeAsync(300);
  await Promise.all(later);

  expect((await first).response.status).toBe(200);
  expect((await send(env)).response.status).toBe(503);
});

test.each([
  ["a page", "/profile", "GET", "GET /assets/none"],
  ["a form", "/home?x=1", "POST", "GET /assets/none"],
  ["a form of another route", "/logout", "POST", "GET /assets/none"],
  [
    "a page's data",
    "/home.data?x=1&_routes=routes%2Fhome",
    "GET",
    "GET /home.data?x=1&_routes=root",
  ],
  ["a fetcher's form", "/home.data", "POST", "POST /_root.data"],
])("during maintenance %s runs only the root route", async (_what, path, method, expected) => {
  const { received } = await send({ MAINTENANCE: "1" }, path, {
    method,
    headers: { Origin: ORIGIN },
  });

  expect(received.map(({ url, method }) => `${method} ${url.slice(ORIGIN.length)}`)).toEqual([
    expected,
  ]);
});

test("rejects forms from other sites during maintenance too", async () => {
  const headers = { Origin: "https://evil.example" };

  const { response, received } = await send({ MAINTENANCE: "1" }, "/logout", {
    method: "POST",
    headers,
  });

  expect(response.status).toBe(403);
  expect(received).toEqual([]);
});

test("the root route needs no environment variables during maintenance", async () => {
  const request = new Request(`${ORIGIN}/assets/none`);
  const args = { request, params: {}, context: contextUnderMaintenance(request) };

  await expect(loader(args)).rejects.toMatchObject({ init: { status: 503 } });
  await expect(async () => action(args)).rejects.toMatchObject({ init: { status: 503 } });
});

test("redirects a data request to the document during maintenance", async () => {
  const request = new Request(`${ORIGIN}/read/a-book?x=1`);
  const context = contextUnderMaintenance(
    new Request(`${ORIGIN}/read/a-book.data?x=1&_routes=root`),
  );

  const thrown: unknown = await loader({ request, params: {}, context }).catch((error) => error);

  if (!(thrown instanceof Response)) throw thrown;
  expect(thrown.headers.get("Location")).toBe("/read/a-book?x=1");
  expect(thrown.headers.has("X-Remix-Reload-Document")).toBe(true);
});

test("the root action responds with 405 when the app is open", () => {
  const request = new Request(ORIGIN, { method: "POST" });
  const context = { cloudflare: { env: {}, request } };

  expect(() => action({ request, params: {}, context })).toThrow(
    expect.objectContaining({ init: { status: 405 } }),
  );
});

function contextUnderMaintenance(request: Request) {
  return { cloudflare: { env: {}, request, data: { isUnderMaintenance: true } } };
}
