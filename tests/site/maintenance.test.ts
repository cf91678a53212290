import { expect, test } from "vitest";

import { action, loader } from "#app/root.tsx";
import { onRequest } from "../../functions/_middleware.ts";

const ORIGIN = "https://inkglade.example";

type Env = NonNullable<Parameters<typeof onRequest>[0]["env"]>;

/** Sends a request through the middleware, and returns what came back and what the app was asked. */
async function send(env: Env, path = "/home", init?: RequestInit) {
  const asked: Request[] = [];
  const data: { isUnderMaintenance?: boolean } = {};
  const request = new Request(ORIGIN + path, init);
  const next = async (changed = request) => {
    asked.push(changed);
    return new Response("the app", { headers: { "Cache-Control": "private" } });
  };
  return { response: await onRequest({ request, env, data, next }), asked, data };
}

function storeOf(get: () => Promise<string | null>) {
  return { SWITCHES: { get } };
}

test.each([
  ["the variable is 1", { MAINTENANCE: "1" }],
  ["the variable is true", { MAINTENANCE: "true" }],
  ["the stored switch is 1", storeOf(async () => "1")],
  ["the stored switch is true", { MAINTENANCE: "0", ...storeOf(async () => "true") }],
])(
  "when %s, the answer is a 503 that is not kept and says when to come back",
  async (_when, env) => {
    const { response, data } = await send(env);

    expect(response.status).toBe(503);
    expect(response.headers.get("Retry-After")).toBe("600");
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(await response.text()).toBe("the app");
    expect(data.isUnderMaintenance).toBe(true);
  },
);

test.each([
  ["nothing is set", {}],
  ["the variable is empty", { MAINTENANCE: "" }],
  ["the variable is 0", { MAINTENANCE: "0" }],
  ["the variable is false", { MAINTENANCE: "false" }],
  ["the stored switch is missing", storeOf(async () => null)],
  ["the store fails", storeOf(() => Promise.reject(new Error("down")))],
])("when %s, the app is open", async (_when, env) => {
  const { response, asked, data } = await send(env, "/home?x=1");

  expect(response.status).toBe(200);
  expect(asked.map(({ url }) => url)).toEqual([`${ORIGIN}/home?x=1`]);
  expect(data).toEqual({});
});

test.each([
  ["a page", "/profile", "GET", "GET /assets/none"],
  ["a form", "/home?x=1", "POST", "GET /assets/none"],
  ["a form's target", "/logout", "POST", "GET /assets/none"],
  [
    "a page's data",
    "/home.data?x=1&_routes=routes%2Fhome",
    "GET",
    "GET /home.data?x=1&_routes=root",
  ],
  ["a script's form", "/home.data", "POST", "POST /_root.data"],
])("of the app, %s asks nothing but the root", async (_what, path, method, expected) => {
  const { asked } = await send({ MAINTENANCE: "1" }, path, { method, headers: { Origin: ORIGIN } });

  expect(asked.map(({ url, method }) => `${method} ${url.slice(ORIGIN.length)}`)).toEqual([
    expected,
  ]);
});

test("what another site sends is refused under maintenance as ever", async () => {
  const headers = { Origin: "https://evil.example" };

  const { response, asked } = await send({ MAINTENANCE: "1" }, "/logout", {
    method: "POST",
    headers,
  });

  expect(response.status).toBe(403);
  expect(asked).toEqual([]);
});

test("the root answers without any other variable", async () => {
  const request = new Request(`${ORIGIN}/assets/none`);
  const args = { request, params: {}, context: closed(request) };

  await expect(loader(args)).rejects.toMatchObject({ init: { status: 503 } });
  await expect(async () => action(args)).rejects.toMatchObject({ init: { status: 503 } });
});

test("a script that asks for data is told to load the document", async () => {
  const request = new Request(`${ORIGIN}/read/a-book?x=1`);
  const context = closed(new Request(`${ORIGIN}/read/a-book.data?x=1&_routes=root`));

  const thrown: unknown = await loader({ request, params: {}, context }).catch((error) => error);

  if (!(thrown instanceof Response)) throw thrown;
  expect(thrown.headers.get("Location")).toBe("/read/a-book?x=1");
  expect(thrown.headers.has("X-Remix-Reload-Document")).toBe(true);
});

test("nothing takes forms at the empty path when the app is open", () => {
  const request = new Request(ORIGIN, { method: "POST" });
  const context = { cloudflare: { env: {}, request } };

  expect(() => action({ request, params: {}, context })).toThrow(
    expect.objectContaining({ init: { status: 405 } }),
  );
});

function closed(request: Request) {
  return { cloudflare: { env: {}, request, data: { isUnderMaintenance: true } } };
}
