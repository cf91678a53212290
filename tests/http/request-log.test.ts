import { expect, onTestFinished, test, vi } from "vitest";
import * as z from "zod";

import { describeRequest } from "#emulator/request-line.ts";
import { createAppHandler } from "#tests/support/app-handler.ts";
import { expectConsoleError } from "#tests/support/console.ts";
import { startFaultProxy, type Fault } from "#tests/support/fault-proxy.ts";
import { signIn, startApp, type TestApp } from "#tests/support/routes.ts";
import { startCachedApp } from "#tests/support/visitors.ts";

const ORIGIN = "https://inkglade.example";

const lineSchema = z.object({
  id: z.string(),
  method: z.string(),
  route: z.string().nullable(),
  status: z.number(),
  ms: z.number(),
  cached: z.boolean(),
  background: z.boolean().optional(),
  calls: z.array(
    z.object({
      service: z.string(),
      method: z.string(),
      status: z.number().nullable(),
      ms: z.number(),
      isSkipped: z.boolean().optional(),
    }),
  ),
});

/** Returns the app with its log on, and the lines that it logs. */
async function startLoggedApp(app: TestApp, variables: Record<string, string> = {}) {
  const handle = await createAppHandler({ ...app.env, REQUEST_LOG: "1", ...variables });
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  return {
    request: (path: string, init?: RequestInit) => handle(new Request(ORIGIN + path, init)),
    text: () => log.mock.calls.flat().join("\n"),
    lines: () => log.mock.calls.map(([line]) => lineSchema.parse(JSON.parse(String(line)))),
  };
}

test("logs a line for each request with its route, status and outgoing calls", async () => {
  await using app = await startApp();
  const logged = await startLoggedApp(app);

  const { headers } = await logged.request("/home");
  await logged.request("/nowhere");
  await logged.request("/logout", { method: "POST" });
  await logged.request("/read/some-story-0123456789.txt");

  const [home, unknown, rejected, download] = logged.lines();
  expect(home).toMatchObject({ method: "GET", route: "/home", status: 200, cached: false });
  expect(home?.calls).toContainEqual({
    service: "firestore",
    method: "runQuery",
    status: 200,
    ms: expect.any(Number),
  });
  expect(headers.get("X-Request-Id")).toBe(home?.id);
  expect(headers.get("Server-Timing")).toMatch(
    /^total;dur=\d+, (.+, )?firestore;dur=\d+;desc="runQuery"/,
  );
  const form = {
    method: "POST",
    headers: { Origin: ORIGIN },
    body: new URLSearchParams({ email: "ana@example.com" }),
  };
  const reset = await logged.request("/login?reset=1", form);
  // The duration of a call would tell whether the address has an account.
  expect(reset.headers.get("Server-Timing")).toMatch(/^total;dur=\d+$/);
  expect(logged.lines().at(-1)?.calls).toMatchObject([{ service: "auth" }]);
  expect(unknown).toMatchObject({ route: "*", status: 302, calls: [] });
  expect(rejected).toMatchObject({ route: null, status: 403, calls: [] });
  expect(download).toMatchObject({ method: "GET", route: "/read/:id.txt" });
});

test("the log and Server-Timing show calls that were not made, and /healthz makes them", async () => {
  expectConsoleError();
  await using app = await startApp();
  const host = app.firebase.hosts.FIRESTORE_EMULATOR_HOST;
  const state: { fault: Fault } = { fault: "cut" };
  await using proxy = await startFaultProxy(host, () => state.fault);
  const logged = await startLoggedApp(app, { FIRESTORE_EMULATOR_HOST: proxy.host });
  for (let count = 0; count < 5; count += 1) await logged.request("/home");

  const { headers } = await logged.request("/home");
  state.fault = "none";
  const health = await logged.request("/healthz");
  const page = await logged.request("/home");

  const [skipped, healthy, complete] = logged.lines().slice(-3);
  expect(skipped?.calls).toContainEqual({
    service: "firestore",
    method: "runQuery",
    status: null,
    ms: 0,
    isSkipped: true,
  });
  expect(headers.get("Server-Timing")).toContain('firestore;dur=0;desc="skipped runQuery"');
  expect(health.status).toBe(200);
  expect(healthy?.calls.map(({ isSkipped }) => isSkipped)).not.toContain(true);
  // The health check has found that Firestore responds again.
  expect(complete?.calls.map(({ isSkipped }) => isSkipped)).not.toContain(true);
  expect(page.status).toBe(200);
});

test("logs a line for a page that is rendered after the response, with its own calls", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  await using app = await startApp();
  const edge = await startCachedApp(app, { REQUEST_LOG: "1" });
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  await edge.visit("/home");
  await edge.finish();
  edge.pass(61_000);

  await edge.visit("/home");
  await edge.finish();

  const lines = log.mock.calls.map(([line]) => lineSchema.parse(JSON.parse(String(line))));
  const [first, second, renewal] = lines;
  expect(lines).toHaveLength(3);
  expect(first?.background).toBeUndefined();
  expect(second).toMatchObject({ cached: true, calls: [] });
  const expected = { method: "GET", route: "/home", status: 200, cached: false, background: true };
  expect(renewal).toMatchObject({ id: second?.id, ...expected });
  expect(renewal?.calls.map(({ service }) => service)).toEqual(
    expect.arrayContaining(["database", "firestore"]),
  );
});

test("logs nothing that a user has sent, and nothing that identifies them", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount({ displayName: "Robin Vale" });
  const cookie = await signIn(app, person);
  const logged = await startLoggedApp(app);
  const headers = { Cookie: cookie, Origin: ORIGIN, "CF-Connecting-IP": "192.0.2.7" };

  await logged.request("/login?email=query%40example.com", {
    method: "POST",
    headers: { Origin: ORIGIN },
    body: new URLSearchParams({ email: person.email, password: "a wrong password" }),
  });
  await logged.request("/home?q=heron", { headers });
  await logged.request("/read/my-secret-story-0123456789", { headers });

  const text = logged.text();
  expect(logged.lines().map(({ route }) => route)).toEqual(["/login", "/home", "/read/:id"]);
  const { localId, email, idToken } = person;
  const secrets = [
    localId,
    email,
    idToken,
    "Robin",
    "query",
    "wrong",
    "heron",
    "secret",
    "192.0.2",
  ];
  for (const secret of secrets) expect(text).not.toContain(secret);
});

test("calls of requests that run at the same time are logged with their own request", async () => {
  await using app = await startApp();
  const logged = await startLoggedApp(app);

  await Promise.all(["/login", "/home", "/login"].map((path) => logged.request(path)));

  const lines = logged.lines();
  const services = (route: string) =>
    lines
      .filter((line) => line.route === route)
      .flatMap(({ calls }) => calls.map(({ service }) => service));
  expect(services("/home")).toContain("firestore");
  expect(services("/login")).not.toContain("firestore");
});

test("the error page shows the id of its request, which the error's log line has too", async () => {
  expectConsoleError();
  await using app = await startApp();
  const logged = await startLoggedApp(app, { FIREBASE_PROJECT_ID: "" });

  const response = await logged.request("/home");

  const id = response.headers.get("X-Request-Id") ?? "";
  expect(response.status).toBe(500);
  expect(id).toHaveLength(36);
  expect(await response.text()).toContain(`Error ID: ${id}`);
  expect(vi.mocked(console.error).mock.calls[0]?.[0]).toContain(`[${id}]`);
  expect(logged.lines()[0]).toMatchObject({ id, status: 500 });
});

test("an error is logged with the pattern of its route, and with nothing of its address", async () => {
  expectConsoleError();
  await using app = await startApp();
  const logged = await startLoggedApp(app, { FIREBASE_PROJECT_ID: "" });

  await logged.request("/read/my-secret-story-0123456789?q=heron");

  const [message] = vi.mocked(console.error).mock.calls[0] ?? [];
  const text = vi.mocked(console.error).mock.calls.flat().map(String).join("\n");
  expect(message).toMatch(/^\[.+\] GET \/read\/:id$/);
  for (const secret of ["secret", "heron"]) expect(text).not.toContain(secret);
});

test("a failed call of Firestore is logged with the id of its request", async () => {
  expectConsoleError();
  await using app = await startApp();
  await using proxy = await startFaultProxy(app.env.FIRESTORE_EMULATOR_HOST, () => "error");
  const logged = await startLoggedApp(app, { FIRESTORE_EMULATOR_HOST: proxy.host });

  const { headers } = await logged.request("/home");

  const errors = vi.mocked(console.error).mock.calls.map(([message]) => String(message));
  expect(errors).toContain(`[${headers.get("X-Request-Id")}] Firestore could not runQuery.`);
});

test.each([
  ["8f0c2d1a9b3e4f56-ZRH", true],
  ["forged, id", false],
])("uses Cloudflare's id %s only if it is well-formed", async (ray, isUsed) => {
  await using app = await startApp();
  const logged = await startLoggedApp(app, { REQUEST_LOG: "" });

  const { headers } = await logged.request("/login", { headers: { "CF-Ray": ray } });

  expect(headers.get("X-Request-Id") === ray).toBe(isUsed);
  expect(logged.text()).toBe("");
});

test("the terminal describes requests in words", () => {
  const call = { service: "firestore", method: "runQuery", status: 200, ms: 9 };
  const line = { id: "1", method: "GET", route: "/home", status: 200, ms: 14, cached: false };

  expect(describeRequest(JSON.stringify({ ...line, calls: [call] }))).toBe(
    "200 GET /home 14 ms (firestore runQuery 9 ms)",
  );
  expect(describeRequest(JSON.stringify({ ...line, route: null, cached: true, calls: [] }))).toBe(
    "200 GET - 14 ms (cached)",
  );
  const skipped = { ...call, status: null, ms: 0, isSkipped: true };
  expect(describeRequest(JSON.stringify({ ...line, calls: [skipped] }))).toBe(
    "200 GET /home 14 ms (firestore runQuery skipped)",
  );
  expect(describeRequest(JSON.stringify({ ...line, background: true, calls: [] }))).toBe(
    "200 GET /home 14 ms (after the response)",
  );
  expect(describeRequest("Some text")).toBeUndefined();
  expect(describeRequest('{"id":')).toBeUndefined();
});
