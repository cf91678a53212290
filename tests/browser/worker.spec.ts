import { getLocalVariables } from "#emulator/local-project.ts";
import { startPages } from "#emulator/pages.ts";
import { findFreePort } from "#emulator/ports.ts";
import { expect, test } from "./fixtures.ts";
import { expectSharedPages } from "./shared-pages.ts";

const PAGE = { Accept: "text/html", "Sec-Fetch-Mode": "navigate", Connection: "close" };

/** Pages, redirects, data, files, and an unknown page. */
const PATHS = [
  "/",
  "/home",
  "/login",
  "/profile",
  "/nowhere",
  "/home//",
  "/healthz",
  "/favicon.svg",
  "/assets/jsons/books.json",
  "/robots.txt",
];

/** Headers that do not change from request to request. */
const HEADERS = ["content-type", "location", "cache-control", "x-content-type-options"];

test("the build responds as a Worker in the same way as on Pages", async ({ app, person }) => {
  test.setTimeout(120_000);
  const lines: string[] = [];
  const errors: string[] = [];
  const variables = {
    SESSION_SECRET: "a secret that is at least 32 characters",
    ...getLocalVariables(app.firebase.hosts),
  };
  await using worker = await startPages({
    isWorker: true,
    port: await findFreePort(),
    variables,
    onError: (line) => errors.push(line),
    onRequest: (line) => lines.push(line),
  });

  for (const path of PATHS) {
    const [onPages, asWorker] = await Promise.all(
      [app.url, worker.url].map(async (url) => describe(await get(url + path))),
    );
    expect(asWorker, path).toEqual(onPages);
  }
  await expect
    .poll(() => lines.some((line) => /^200 GET \/home .+firestore/.test(line)))
    .toBe(true);

  await expectSharedPages(worker.url, person);

  const form = new URLSearchParams({ email: "nobody@example.com", password: "a wrong password" });
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 6; attempt += 1) {
    const headers = { Origin: worker.url };
    const init = { method: "POST", headers, body: form, redirect: "manual" } as const;
    statuses.push((await fetch(`${worker.url}/login`, init)).status);
  }
  expect(statuses).toEqual([...Array.from({ length: 5 }, () => statuses[0]), 429]);
  expect(errors).toEqual([]);
});

function get(url: string): Promise<Response> {
  return fetch(url, { headers: PAGE, redirect: "manual" });
}

async function describe(response: Response) {
  await response.body?.cancel();
  const headers = HEADERS.map((name) => [name, response.headers.get(name)]);
  return { status: response.status, ...Object.fromEntries(headers) };
}
