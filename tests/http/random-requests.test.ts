import * as fc from "fast-check";
import { expect, test, vi } from "vitest";

import { createSealedCookie } from "#app/http/cookie.server.ts";
import { breakers } from "#app/http/outgoing-calls.server.ts";
import { getLocalVariables } from "#emulator/local-project.ts";
import { createAppHandler } from "#tests/support/app-handler.ts";
import { startFirebase, type TestFirebase } from "#tests/support/firebase.ts";
import { toCookieHeader } from "#tests/support/routes.ts";
import { publishStory } from "#tests/support/stories.ts";
import {
  strangeRequests,
  toRequest,
  type StrangeRequest,
} from "#tests/support/strange-requests.ts";
import { MARKUP } from "#tests/support/strange-values.ts";

const ORIGIN = "https://inkglade.example";
const SESSION_SECRET = "a secret that is at least 32 characters";

/** Change it to try other requests. Failures show it. */
const SEED = Number(process.env.STRANGE_SEED ?? 20_260_101);
const REQUESTS = Number(process.env.STRANGE_REQUESTS ?? 1500);

/** The number of concurrent requests. */
const AT_ONCE = 8;

/** Less than the calls of a page may take together, so that a page that did not wait for a service counts as slow. */
const MAX_MS = 1400;
const MAX_BYTES = 1024 * 1024;
/** The most bytes of headers that clients and proxies read. */
const MAX_HEADER_BYTES = 16 * 1024;

/** What is logged when a service responds too late, or is not called because it has. */
const LATE = /due to timeout|^UnavailableError: .+ (?:did not respond|cannot be renewed now)$/m;

type SendRequest = (request: Request) => Promise<Response>;

test("no request makes the app fail, repeat markup, redirect to another site, or take long", async () => {
  // The router logs a warning for each path that it cannot decode.
  vi.spyOn(console, "warn").mockImplementation(() => {});
  await using firebase = await startFirebase();
  await publishStory(firebase.hosts, {
    id: "salt-0000000001",
    title: "Salt",
    text: MARKUP.join("\n\n"),
  });
  const sendRequest = await createAppHandler({
    SESSION_SECRET,
    ...getLocalVariables(firebase.hosts),
  });
  const { sessions, others } = await createCookieJars(firebase, sendRequest);
  const jar = { ...sessions, ...others };
  const targets = [`${ORIGIN}/`, `http://${firebase.hosts.GOOGLE_EMULATOR_HOST}/o/oauth2/v2/auth?`];
  const requests = fc.sample(strangeRequests(ORIGIN, Object.keys(sessions), Object.keys(others)), {
    seed: SEED,
    numRuns: REQUESTS,
  });

  const statuses = new Map<number, number>();
  const problems: string[] = [];
  const errors = vi.mocked(console.error);
  function note(strange: StrangeRequest, result: Result) {
    statuses.set(result.status, (statuses.get(result.status) ?? 0) + 1);
    if (result.problems.length > 0) problems.push(describe(strange, result.problems));
  }

  const again: StrangeRequest[] = [];
  const waitingRequests = requests.values();
  async function work() {
    for (const strange of waitingRequests) {
      const result = await send(sendRequest, strange, jar, targets);
      if (result.ms > MAX_MS || result.status >= 500) again.push(strange);
      else note(strange, result);
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  // Concurrent requests share the processor, so a service may respond too late, and then is not called for a while. Sends
  // the requests that may have met this again one by one: then no call may time out.
  const unexpected = errors.mock.calls.filter((call) => !LATE.test(call.map(String).join("\n")));
  expect(unexpected, "no unexpected error is logged").toEqual([]);
  errors.mockClear();
  breakers.clear();
  for (const strange of again) {
    const result = await send(sendRequest, strange, jar, targets);
    const { ms } = result;
    note(strange, result);
    if (ms > MAX_MS) problems.push(describe(strange, [`took ${Math.round(ms)} ms`]));
  }
  expect(errors.mock.calls, "no error is logged when nothing is late").toEqual([]);

  expect(problems, `with seed ${SEED}, by status ${JSON.stringify([...statuses])}`).toEqual([]);
}, 120_000);

/** Returns cookies by name: valid sessions, and others that are invalid, ended or sealed for another purpose. */
async function createCookieJars(firebase: TestFirebase, sendRequest: SendRequest) {
  const people = [
    await firebase.addAccount({ displayName: MARKUP[0], isOperator: true }),
    await firebase.addAccount({ displayName: "Ana" }),
  ];
  const revoked = await firebase.addAccount();
  const ended = await signIn(sendRequest, revoked);
  await firebase.endAccount(revoked, "revoked");

  const session = (value: object) => seal("__session", value);
  const time = { refreshToken: "x", expiresAt: Date.now() + 3_600_000 };
  const claims = (payload: string) => `e30.${Buffer.from(payload).toString("base64url")}.x`;
  const sessions = await Promise.all([
    ...people.map((person) => signIn(sendRequest, person)),
    // These sessions are not in the registry, so requests cannot end them.
    ...people.map(({ idToken }) => session({ ...time, idToken })),
    ...people.map(({ idToken, refreshToken }) => session({ idToken, refreshToken, expiresAt: 0 })),
  ]);
  const sealed = await Promise.all([
    session({ idToken: "garbage", ...time }),
    session({ idToken: "a.b.c", ...time }),
    session({ idToken: claims("null"), ...time }),
    // Readable, but the provider rejects them when they are renewed.
    session({ idToken: claims(`{"sub":"a/../b"}`), ...time, expiresAt: 0 }),
    session({ idToken: claims(`{"sub":"__x__","email":1}`), ...time, expiresAt: 0 }),
    session({ idToken: claims(`{"sub":"ana"}`), ...time, expiresAt: 0 }),
    session({ idToken: "", refreshToken: "", expiresAt: -1 }),
    session([]),
    seal("form-error", { screen: "room", status: 99_999, message: MARKUP[0] }),
    seal("form-error", { screen: "sign-in", status: 400, message: MARKUP[0], hint: MARKUP[1] }),
    seal("google", {
      ...{ screen: "room", uid: null },
      ...{ state: "0123456789abcdef.x", verifier: "x", nonce: "x" },
    }),
    seal("unsaved", { uid: "ana", displayName: MARKUP[0], photoURL: MARKUP[1] }),
  ]);
  const named = (name: string, cookies: string[]) =>
    Object.fromEntries(cookies.map((cookie, index) => [`${name} ${index}`, cookie]));
  return { sessions: named("session", sessions), others: named("other", [ended, ...sealed]) };
}

async function signIn(
  sendRequest: SendRequest,
  { email, password }: { email: string; password: string },
) {
  const body = new URLSearchParams({ email, password });
  const headers = { Origin: ORIGIN, Host: new URL(ORIGIN).host };
  const response = await sendRequest(
    new Request(`${ORIGIN}/login`, { method: "POST", body, headers }),
  );
  expect(response.status).toBe(303);
  return toCookieHeader(response.headers);
}

async function seal(name: string, value: object): Promise<string> {
  const cookie = createSealedCookie({ SESSION_SECRET }, name, {
    maxAgeSeconds: 3600,
    now: Date.now,
  });
  const header = await cookie.seal(new Request(ORIGIN), value);
  return header.split(";")[0] ?? "";
}

type Result = Awaited<ReturnType<typeof send>>;

/** Sends a request, and returns how long it took and what is wrong with the response. */
async function send(
  sendRequest: SendRequest,
  strange: StrangeRequest,
  jar: Readonly<Record<string, string>>,
  targets: readonly string[],
) {
  const request = toRequest(ORIGIN, strange, jar);
  const start = performance.now();
  const response = await sendRequest(request).catch((error: unknown) => error);
  if (!(response instanceof Response))
    return { status: 0, ms: 0, problems: [`threw ${String(response)}`] };
  const body = await response.text();
  const ms = performance.now() - start;

  const { status, headers } = response;
  const problems: string[] = [];
  if (status >= 500) problems.push(`responded with ${status}: ${body.slice(0, 200)}`);
  if (body.length > MAX_BYTES) problems.push(`responded with ${body.length} characters`);
  const headerBytes = JSON.stringify([...headers]).length;
  if (headerBytes > MAX_HEADER_BYTES)
    problems.push(`responded with ${headerBytes} bytes of headers`);
  if (headers.get("X-Content-Type-Options") !== "nosniff")
    problems.push("lets its type be guessed");
  const isHtml = headers.get("Content-Type")?.includes("html") ?? true;
  const repeated = isHtml && MARKUP.find((markup) => body.includes(markup));
  if (repeated) problems.push(`repeats ${repeated}`);
  for (const to of findTargets(headers, body)) {
    const { href } = new URL(to, request.url);
    if (!targets.some((target) => href.startsWith(target))) problems.push(`leads to ${to}`);
  }
  return { status, ms, problems };
}

/** Returns the URLs that a response redirects to, by its headers or by Remix's data. */
function findTargets(headers: Headers, body: string): string[] {
  const isData = headers.get("Content-Type")?.startsWith("text/x-script");
  const [, inData] = (isData && /"redirect",("(?:[^"\\]|\\.)*")/.exec(body)) || [];
  const named = ["Location", "X-Remix-Redirect", "Refresh"].map((name) => headers.get(name));
  return [...named, inData === undefined ? null : String(JSON.parse(inData))].filter(
    (to) => to !== null,
  );
}

function describe({ path, ...request }: StrangeRequest, problems: string[]): string {
  const sent = JSON.stringify(request, (_, value: unknown) =>
    typeof value === "string" ? value.slice(0, 120) : value,
  );
  return `${problems.join("; ")} on ${path.slice(0, 300)} ${sent.slice(0, 900)}`;
}
