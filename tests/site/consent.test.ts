import { expect, test } from "vitest";

import { EnvironmentError } from "#app/env.server.ts";
import { setSecurityHeaders } from "#app/http/page-headers.server.ts";
import { loader as rootLoader } from "#app/root.tsx";
import { action } from "#app/routes/consent.ts";
import { startApp, toCookieHeader } from "#tests/support/routes.ts";

const configured = { FIREBASE_APP_ID: "1:2:web:3", FIREBASE_MEASUREMENT_ID: "G-TEST" };

test("does not ask for consent if analytics is not configured", async () => {
  await using app = await startApp();

  expect(await app.send(rootLoader, "/home")).toMatchObject({ data: { analytics: null } });
});

test("asks for consent, stores the answer, and lets the user change it", async () => {
  await using app = await startApp(configured);
  const root = (cookie: string) => app.send(rootLoader, "/home", { cookie });
  expect(await root("")).toMatchObject({ data: { analytics: { consent: "unasked" } } });

  for (const consent of ["yes", "no"]) {
    const form = { analytics: consent, returnTo: "/read/a-book" };
    const { status, headers } = await app.send(action, "/consent", { form });

    expect(status).toBe(303);
    expect(headers.get("Location")).toBe("/read/a-book");
    expect(await root(toCookieHeader(headers))).toMatchObject({ data: { analytics: { consent } } });
  }
});

test("Global Privacy Control overrides earlier consent", async () => {
  await using app = await startApp(configured);

  const response = await app.send(rootLoader, "/home", {
    cookie: "analytics=yes",
    headers: { "Sec-GPC": "1" },
  });

  expect(response).toMatchObject({ data: { analytics: { consent: "never" } } });
});

test("does not redirect a fetcher", async () => {
  await using app = await startApp(configured);

  const response = await app.send(action, "/consent", { form: { analytics: "yes", stay: "true" } });

  expect(response).toMatchObject({ status: 200, data: null });
});

test("does not count a page with a secret in its URL", async () => {
  await using app = await startApp(configured);

  const page = await app.send(rootLoader, "/login?mode=resetPassword&oobCode=secret", {
    cookie: "analytics=yes",
  });

  expect(page).toMatchObject({ data: { analytics: null } });
});

test("deletes the analytics cookies when the user declines", async () => {
  await using app = await startApp(configured);

  const { headers } = await app.send(action, "/consent", {
    form: { analytics: "no" },
    cookie: "_ga=1; theme=dark; _ga_TEST=2; _garden=3; _ga_ x=4; _ga_é=5",
  });

  const removed = headers.getSetCookie().filter((cookie) => cookie.includes("Max-Age=0"));
  expect(removed.map((cookie) => cookie.split("=")[0])).toEqual(["_ga", "_ga_TEST"]);
});

test.each(["perhaps", ""])("rejects the answer %j", async (analytics) => {
  await using app = await startApp(configured);

  expect(await app.send(action, "/consent", { form: { analytics } })).toMatchObject({
    status: 400,
  });
});

test("does not redirect to another site", async () => {
  await using app = await startApp(configured);

  const form = { analytics: "yes", returnTo: "//evil.example" };
  const { headers } = await app.send(action, "/consent", { form });

  expect(headers.get("Location")).toBe("/home");
});

test("names the missing app id if analytics is configured without it", async () => {
  await using app = await startApp({ FIREBASE_MEASUREMENT_ID: "G-TEST" });
  const sending = app.send(rootLoader, "/home");

  await expect(sending).rejects.toThrow(EnvironmentError);
  await expect(sending).rejects.toThrow("FIREBASE_APP_ID");
});

test("the Content-Security-Policy allows Google Analytics only with consent", () => {
  for (const isCounted of [true, false]) {
    const headers = new Headers();
    setSecurityHeaders(headers, { nonce: "n", firebase: null, google: null, isCounted });
    const policy = headers.get("Content-Security-Policy") ?? "";
    expect(/script-src [^;]*googletagmanager/.test(policy)).toBe(isCounted);
    expect(/connect-src [^;]*google-analytics/.test(policy)).toBe(isCounted);
  }
});
