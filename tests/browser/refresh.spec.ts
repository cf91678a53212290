import type { IncomingMessage, ServerResponse } from "node:http";
import { json, text } from "node:stream/consumers";

import { UnsecuredJWT } from "jose";

import { sendJson } from "#tests/support/server.ts";
import { test } from "./changed-app.ts";
import { expect } from "./fixtures.ts";

const idToken = new UnsecuredJWT({ email: "ana@example.com" }).setSubject("ana").encode();

/** A provider whose tokens must be refreshed at once. It responds to refreshes when the test allows it. */
const refreshing = {
  /** The number of refresh requests. */
  refreshes: 0,
  gate: Promise.resolve(),
  /** Responds to all pending and later refresh requests. */
  release() {},
  /** Holds back later refresh requests. */
  hold() {
    refreshing.refreshes = 0;
    refreshing.gate = new Promise((resolve) => {
      refreshing.release = resolve;
    });
  },
  respond: async (response: ServerResponse, request: IncomingMessage) => {
    if (request.url?.includes("accounts:signInWithPassword")) {
      const refreshToken = JSON.stringify(await json(request));
      return sendJson(response, 200, { idToken, refreshToken, expiresIn: "200" });
    }
    if (request.url?.includes("accounts:lookup")) {
      return sendJson(response, 200, { users: [{}] });
    }
    const body = new URLSearchParams(await text(request));
    refreshing.refreshes += 1;
    await refreshing.gate;
    const refresh_token = body.get("refresh_token");
    sendJson(response, 200, { id_token: idToken, refresh_token, expires_in: "3600" });
  },
};

test.beforeAll(({ provider }) => {
  provider.respond = refreshing.respond;
});

test.afterAll(({ provider }) => {
  delete provider.respond;
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

test("parallel requests share one refresh", async ({ app }) => {
  const { openPage } = await startSession(app.url, "one@example.com");
  refreshing.hold();

  const pages = Array.from({ length: 8 }, () => openPage());
  await expect.poll(() => refreshing.refreshes).toBe(1);
  refreshing.release();

  for (const page of await Promise.all(pages)) {
    expect(page.status).toBe(200);
    expect(page.headers.get("Set-Cookie")).toMatch(/^__session=.+; Max-Age=1209600/);
    expect(await page.text()).toContain("ana@example.com");
  }
  // Requests sent with the old cookie still get the renewed one.
  expect((await openPage()).status).toBe(200);
  expect(refreshing.refreshes).toBe(1);
});

test("aborting a request during a refresh does not abort the others", async ({ app }) => {
  const { openPage } = await startSession(app.url, "two@example.com");
  refreshing.hold();

  const controller = new AbortController();
  const left = openPage(controller.signal).catch(() => "left");
  await expect.poll(() => refreshing.refreshes).toBe(1);
  const stayed = openPage();
  controller.abort();
  expect(await left).toBe("left");
  refreshing.release();

  const page = await stayed;
  expect(page.status).toBe(200);
  expect(await page.text()).toContain("ana@example.com");
});
