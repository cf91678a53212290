import { json, text } from "node:stream/consumers";

import { UnsecuredJWT } from "jose";

import { answerJson, startServer } from "#tests/support/server.ts";
import { expect, test as base } from "./fixtures.ts";

/** A provider whose tokens are due for a refresh from the start, and are refreshed when the test says so. */
interface Provider {
  host: string;
  /** How many refreshes it was asked for. */
  refreshes: number;
  /** Answers everybody who waits for a refresh, and whoever comes later. */
  release: () => void;
  /** Makes those who come later wait again. */
  hold: () => void;
}

const test = base.extend<object, { provider: Provider }>({
  provider: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads what is asked for from the pattern
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

// In one worker, so that the app is started once with these options.
test.describe.configure({ mode: "default" });

/** Signs in, and returns how to open a page with that cookie, one that names whose it is. */
async function enter(url: string, email: string) {
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

test("parallel requests during a refresh make one refresh", async ({ app, provider }) => {
  const { openPage } = await enter(app.url, "one@example.com");
  provider.hold();

  const pages = Array.from({ length: 8 }, () => openPage());
  await expect.poll(() => provider.refreshes).toBe(1);
  provider.release();

  for (const page of await Promise.all(pages)) {
    expect(page.status).toBe(200);
    expect(page.headers.get("Set-Cookie")).toMatch(/^__session=.+; Max-Age=1209600/);
    expect(await page.text()).toContain("ana@example.com");
  }
  // What was on its way with the old cookie has it renewed all the same.
  expect((await openPage()).status).toBe(200);
  expect(provider.refreshes).toBe(1);
});

test("whoever leaves during a refresh takes nobody along", async ({ app, provider }) => {
  const { openPage } = await enter(app.url, "two@example.com");
  provider.hold();

  const leaver = new AbortController();
  const left = openPage(leaver.signal).catch(() => "left");
  await expect.poll(() => provider.refreshes).toBe(1);
  const stayed = openPage();
  leaver.abort();
  expect(await left).toBe("left");
  provider.release();

  const page = await stayed;
  expect(page.status).toBe(200);
  expect(await page.text()).toContain("ana@example.com");
});
