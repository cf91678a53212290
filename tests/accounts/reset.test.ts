import { beforeEach, expect, test, vi } from "vitest";

import { wait } from "#app/http/wait.ts";
import { action, loader, meta } from "#app/routes/login.tsx";
import { loader as profileLoader } from "#app/routes/profile.tsx";
import { readLink, readMails } from "#tests/support/mail.ts";
import { signIn, startApp, toCookieHeader, type TestApp } from "#tests/support/routes.ts";

// A reset takes at least a second. Only the test of that duration waits for it.
vi.mock(import("#app/http/wait.ts"), { spy: true });
beforeEach(() => void vi.mocked(wait).mockResolvedValue());

const RESET = "/login?reset=1";

/** Requests a link, and returns its path. */
async function requestLink(app: TestApp, email: string): Promise<string> {
  await app.send(action, RESET, { form: { email } });
  return readLink(app.firebase, email);
}

test("gives known and unknown addresses the same response in similar time", async () => {
  vi.mocked(wait).mockReset();
  await using app = await startApp();
  const { email } = await app.firebase.addAccount();

  const responses = await Promise.all(
    [email, "nobody@example.com"].map(async (address) => {
      const startedAt = performance.now();
      const { status, headers, data } = await app.send(action, RESET, { form: { email: address } });
      return { status, headers: [...headers], data, ms: performance.now() - startedAt };
    }),
  );

  for (const { ms, ...response } of responses) {
    const headers = [["location", "/login?reset=sent"]];
    expect(response).toEqual({ status: 303, headers, data: undefined });
    // The minimum duration, longer than either request. Timers may fire a millisecond early.
    expect(ms).toBeGreaterThanOrEqual(999);
  }
  expect(await readMails(app.firebase)).toMatchObject([{ email, requestType: "PASSWORD_RESET" }]);
});

test("“Forgot your password?” keeps the typed e-mail, and does not return the password", async () => {
  await using app = await startApp();
  const { email } = await app.firebase.addAccount();
  const form = { intent: "forgot", email, password: "secret1" };

  const response = await app.send(action, RESET, { form });

  expect(response).toMatchObject({ status: 200, data: { email } });
  expect(JSON.stringify(response.data)).not.toContain("secret1");
  expect(await readMails(app.firebase)).toEqual([]);
});

test.each([
  ["/login", null],
  ["/login?reset=1", { kind: "reset-request", isSent: false }],
  ["/login?reset=sent", { kind: "reset-request", isSent: true }],
  ["/login?mode=verifyEmail&oobCode=x", { kind: "apply-code", mode: "verifyEmail" }],
  ["/login?mode=recoverEmail&oobCode=x", { kind: "apply-code", mode: "recoverEmail" }],
  ["/login?mode=signIn&oobCode=x", null],
])("%s shows %j without calling the provider", async (path, screen) => {
  await using app = await startApp({ FIREBASE_AUTH_EMULATOR_HOST: "127.0.0.1:1" });

  const page = await app.send(loader, path);

  expect(page).toMatchObject({ status: 200, data: { screen } });
});

test.each([
  ["", "Email is required"],
  ["ana", "Invalid email"],
])("rejects %j as an invalid address", async (email, error) => {
  await using app = await startApp({ FIREBASE_AUTH_EMULATOR_HOST: "127.0.0.1:1" });

  const response = await app.send(action, RESET, { form: { email } });

  expect(response).toMatchObject({ status: 400, data: { email, fieldErrors: { email: [error] } } });
});

test("rejects too many requests with the provider's message", async () => {
  await using app = await startApp();
  const send = () => app.send(action, RESET, { form: { email: "ana@example.com" } });
  await Promise.all(Array.from({ length: 5 }, send));

  const response = await send();

  expect(response.status).toBe(429);
  expect(response.data).toMatchObject({
    email: "ana@example.com",
    banner: { message: expect.stringContaining("auth/too-many-requests") },
  });
});

test("reports an unavailable provider for any address", async () => {
  await using app = await startApp({ FIREBASE_AUTH_EMULATOR_HOST: "127.0.0.1:1" });

  const response = await app.send(action, RESET, { form: { email: "ana@example.com" } });

  expect(response).toMatchObject({
    status: 503,
    data: {
      email: "ana@example.com",
      banner: { hint: expect.stringContaining("Nothing was lost") },
    },
  });
});

test("the link sets a new password, signs in, and works once", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount();
  const path = await requestLink(app, person.email);

  // Opening the link does not use it up.
  for (const _visit of [1, 2]) {
    const page = await app.send(loader, path);
    const screen = { kind: "new-password", email: person.email };
    expect(page).toMatchObject({ status: 200, data: { screen } });
  }
  const response = await app.send(action, path, { form: { password: "another horse" } });

  expect(response.status).toBe(303);
  expect(response.headers.get("Location")).toBe("/profile");
  const profile = await app.send(profileLoader, "/profile", {
    cookie: toCookieHeader(response.headers),
  });
  expect(profile.data).toMatchObject({
    user: { email: person.email },
    flash: "password-changed",
  });
  expect(await signIn(app, { ...person, password: "another horse" })).toContain("__session=");
  expect(await signIn(app, person)).toBe("");

  const expiredLink = {
    banner: {
      message:
        "Firebase: The action code is invalid. This can happen if the code is malformed, expired, or has already been used. (auth/invalid-action-code).",
      hint: "This link has been used or is too old. Ask for a new one.",
    },
  };
  expect(await app.send(loader, path)).toMatchObject({
    status: 400,
    data: { screen: { kind: "expired-link", ...expiredLink } },
  });
  const secondUse = await app.send(action, path, { form: { password: "a third horse" } });
  expect(secondUse).toMatchObject({ status: 400, data: expiredLink });
});

test.each([
  ["", "Password is required"],
  ["short", "Password must be at least 6 characters"],
])("rejects the password %j, and the link stays valid", async (password, error) => {
  await using app = await startApp();
  const { email } = await app.firebase.addAccount();
  const path = await requestLink(app, email);

  const response = await app.send(action, path, { form: { password } });

  expect(response).toMatchObject({ status: 400, data: { fieldErrors: { password: [error] } } });
  expect(await app.send(loader, path)).toMatchObject({
    data: { screen: { kind: "new-password" } },
  });
});

test("rejects a link without a code", async () => {
  await using app = await startApp();

  const page = await app.send(loader, "/login?mode=resetPassword");

  expect(page).toMatchObject({ status: 400, data: { screen: { kind: "expired-link" } } });
});

test.each([
  ["/login", "Sign In"],
  ["/login?reset=1", "Reset your password"],
  ["/login?reset=sent", "Reset your password"],
  ["/login?mode=verifyEmail&oobCode=x", "Confirm your e-mail"],
  ["/login?mode=verifyAndChangeEmail&oobCode=x", "Change your e-mail"],
  ["/login?mode=recoverEmail&oobCode=x", "Restore your old e-mail"],
  ["/login?mode=resetPassword&oobCode=x", "This link no longer works"],
])("shows the right title at %s", async (path, title) => {
  await using app = await startApp();

  expect(await readTitle(app, path)).toBe(`${title} · Inkglade`);
});

test("shows the right title for a valid link and for one that cannot be checked", async () => {
  await using app = await startApp();
  await using unavailable = await startApp({ FIREBASE_AUTH_EMULATOR_HOST: "127.0.0.1:1" });
  const path = await requestLink(app, (await app.firebase.addAccount()).email);

  expect(await readTitle(app, path)).toBe("Choose a new password · Inkglade");
  expect(await readTitle(unavailable, path)).toBe("That didn't work · Inkglade");
});

test.each([
  ["/login?mode=resetPassword&oobCode=x", { password: "another horse" }],
  ["/login?mode=verifyEmail&oobCode=x", {}],
  ["/login?mode=verifyAndChangeEmail&oobCode=x", {}],
  ["/login?mode=recoverEmail&oobCode=x", {}],
])("reports an unavailable provider at %s and that nothing was lost", async (path, form) => {
  await using app = await startApp({ FIREBASE_AUTH_EMULATOR_HOST: "127.0.0.1:1" });

  expect(await app.send(action, path, { form })).toMatchObject({
    status: 503,
    data: {
      banner: {
        hint: "We can't reach the sign-in service. Nothing was lost; try again.",
      },
    },
  });
});

test("does not report a link as expired when the provider is unavailable", async () => {
  await using app = await startApp({ FIREBASE_AUTH_EMULATOR_HOST: "127.0.0.1:1" });

  const page = await app.send(loader, "/login?mode=resetPassword&oobCode=x");

  expect(page).toMatchObject({
    status: 503,
    data: { screen: { kind: "expired-link", isUnavailable: true } },
  });
});

/** Returns the page title for the loader's data. */
async function readTitle(app: TestApp, path: string): Promise<unknown> {
  const { data } = await app.send(loader, path);
  // Remix passes more arguments, which `meta` does not use.
  const location = { pathname: "/login" };
  const args = { data, location, matches: [] as unknown } as Parameters<typeof meta>[0];
  const titleEntry = meta(args)?.find((entry) => "title" in entry);
  return titleEntry && "title" in titleEntry ? titleEntry.title : undefined;
}
