import { json, text } from "node:stream/consumers";

import { UnsecuredJWT } from "jose";

import { answerJson, startServer } from "#tests/support/server.ts";
import { expect, test as base } from "./fixtures.ts";

/** A provider whose tokens must be refreshed at once. The test controls when it responds to refreshes. */
interface Provider {
  host: string;
  /** The number of refresh requests. */
  refreshes: number;
  /** Responds to all pending and later refresh requests. */
  release: () => void;
  /** Holds back later refresh requests. */
  hold: () => void;
}

const test = base.extend<object, { provider: Provider }>({
  provider: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from the pattern
    async ({}, use) => {
      const idToken = new UnsecuredJWT({ email: "ana@example.com" }).setSubject("ana").encode();
      let gate = Promise.resolve();
      const provider: Provider = {
        host: "",
        refreshes: 0,
        release: () => {},
        hold() {
          provider.refreshes = 0;
          gate = new Promise((resolve) => {
            provider.release = resolve;
          });
        },
      };
      await using server = await startServer(async (response, request) => {
        if (request.url?.includes("accounts:signInWithPassword")) {
          const refreshToken = JSON.stringify(await json(request));
          return answerJson(response, 200, { idToken, refreshToken, expiresIn: "200" });
        }
        if (request.url?.includes("accounts:lookup")) {
          return answerJson(response, 200, { users: [{}] });
        }
        const body = new URLSearchParams(await text(request));
        provider.refreshes += 1;
        await gate;
        const refresh_token = body.get("refresh_token");
        answerJson(response, 200, { id_token: idToken, refresh_token, expires_in: "3600" });
      });
      provider.host = server.host;
      await use(provider);
    },
    { scope: "worker" },
  ],
  appVariables: [
    async ({ provider }, use) => use({ FIREBASE_AUTH_EMULATOR_HOST: provider.host }),
    { scope: "worker" },
  ],
});

// In one worker, so that the app starts only once with these options.
test.describe.configure({ mode: "default" });

/** Signs in, and returns a function that opens a page with the session's cookie. */
async function startSession(url: string, email: string) {
  const { headers } = await fetch(`${url}/login`, {
    method: "POST",
    headers: { Origin: url },
    body: new URLSearchParams({ email, password: "secret1" }),
    redirect: "manual",
  });
  const [cookie = ""] = headers.getSetCookie()[0]?.split(";") ?? [];
  const openPage = (signal?: AbortSignal) =>
    fetch(`${url}/login`, { headers: { Cookie: cookie }, redirect: "manual", signal });
  return { openPage };
}

test("parallel requests share one refresh", async ({ app, provider }) => {
  const { openPage } = await startSession(app.url, "one@example.com");
  provider.hold();

  const pages = Array.from({ length: 8 }, () => openPage());
  await expect.poll(() => provider.refreshes).toBe(1);
  provider.release();

  for (const page of await Promise.all(pages)) {
    expect(page.status).toBe(200);
    expect(page.headers.get("Set-Cookie")).toMatch(/^__session=.+; Max-Age=1209600/);
    expect(await page.text()).toContain("ana@example.com");
  }
  // Requests sent with the old cookie still get the renewed one.
  expect((await openPage()).status).toBe(200);
  expect(provider.refreshes).toBe(1);
});

test("aborting a request during a refresh does not abort the others", async ({ app, provider }) => {
  const { openPage } = await startSession(app.url, "two@example.com");
  provider.hold();

  const controller = new AbortController();
  const left = openPage(controller.signal).catch(() => "left");
  await expect.poll(() => provider.refreshes).toBe(1);
  const stayed = openPage();
  controller.abort();
  expect(await left).toBe("left");
  provider.release();

  const page = await stayed;
  expect(page.status).toBe(200);
  expect(await page.text()).toContain("ana@example.com");
});
