import { beforeEach, expect, test, vi } from "vitest";

import { wait } from "#app/http/wait.server.ts";
import { action, loader, meta } from "#app/routes/login.tsx";
import { loader as profileLoader } from "#app/routes/profile.tsx";
import { readLink, readMails } from "#tests/support/mail.ts";
import { signIn, startApp, toCookieHeader, type TestApp } from "#tests/support/routes.ts";

// A reset takes at least a second. Only the test of that duration waits.
vi.mock(import("#app/http/wait.server.ts"), { spy: true });
beforeEach(() => void vi.mocked(wait).mockResolvedValue());

const RESET = "/login?reset=1";

/** Requests a link, and returns its path. */
async function askForLink(app: TestApp, email: string): Promise<string> {
  await app.send(action, RESET, { form: { email } });
  return readLink(app.firebase, email);
}

test("a known and an unknown address get the same answer in similar time", async () => {
  vi.mocked(wait).mockReset();
  await using app = await startApp();
  const { email } = await app.firebase.addAccount();

  const answers = await Promise.all(
    [email, "nobody@example.com"].map(async (address) => {
      const startedAt = performance.now();
      const { status, headers, data } = await app.send(action, RESET, { form: { email: address } });
      return { status, headers: [...headers], data, ms: performance.now() - startedAt };
    }),
  );

  for (const { ms, ...answer } of answers) {
    const headers = [["location", "/login?reset=sent"]];
    expect(answer).toEqual({ status: 303, headers, data: undefined });
    // Longer than either takes by itself. Timers may be early by a millisecond.
    expect(ms).toBeGreaterThanOrEqual(999);
  }
  expect(await readMails(app.firebase)).toMatchObject([{ email, requestType: "PASSWORD_RESET" }]);
});

test("“Forgot your password?” takes the e-mail along, and neither sends an e-mail nor returns the password", async () => {
  await using app = await startApp();
  const { email } = await app.firebase.addAccount();
  const form = { intent: "forgot", email, password: "secret1" };

  const answer = await app.send(action, RESET, { form });

  expect(answer).toMatchObject({ status: 200, data: { email } });
  expect(JSON.stringify(answer.data)).not.toContain("secret1");
  expect(await readMails(app.firebase)).toEqual([]);
});

test.each([
  ["/login", null],
  ["/login?reset=1", { kind: "reset-request", isSent: false }],
  ["/login?reset=sent", { kind: "reset-request", isSent: true }],
  ["/login?mode=verifyEmail&oobCode=x", { kind: "apply-code", mode: "verifyEmail" }],
  ["/login?mode=recoverEmail&oobCode=x", { kind: "apply-code", mode: "recoverEmail" }],
  ["/login?mode=signIn&oobCode=x", null],
])("%s shows %j without asking the provider", async (path, screen) => {
  await using app = await startApp({ FIREBASE_AUTH_EMULATOR_HOST: "127.0.0.1:1" });

  const page = await app.send(loader, path);

  expect(page).toMatchObject({ status: 200, data: { screen } });
});

test.each([
  ["", "Email is required"],
  ["ana", "Invalid email"],
])("%j is reported as an invalid address", async (email, fault) => {
  await using app = await startApp({ FIREBASE_AUTH_EMULATOR_HOST: "127.0.0.1:1" });

  const answer = await app.send(action, RESET, { form: { email } });

  expect(answer).toMatchObject({ status: 400, data: { email, fieldErrors: { email: [fault] } } });
});

test("too many requests are rejected with the provider's message", async () => {
  await using app = await startApp();
  const send = () => app.send(action, RESET, { form: { email: "ana@example.com" } });
  await Promise.all(Array.from({ length: 5 }, send));

  const answer = await send();

  expect(answer.status).toBe(429);
  expect(answer.data).toMatchObject({
    email: "ana@example.com",
    banner: { message: expect.stringContaining("auth/too-many-requests") },
  });
});

test("an unavailable provider is reported for any address", async () => {
  await using app = await startApp({ FIREBASE_AUTH_EMULATOR_HOST: "127.0.0.1:1" });

  const answer = await app.send(action, RESET, { form: { email: "ana@example.com" } });

  expect(answer).toMatchObject({
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
  const path = await askForLink(app, person.email);

  // Opening the link does not use it up.
  for (const _look of [1, 2]) {
    const page = await app.send(loader, path);
    const screen = { kind: "new-password", email: person.email };
    expect(page).toMatchObject({ status: 200, data: { screen } });
  }
  const answer = await app.send(action, path, { form: { password: "another horse" } });

  expect(answer.status).toBe(303);
  expect(answer.headers.get("Location")).toBe("/profile");
  const profile = await app.send(profileLoader, "/profile", {
    cookie: toCookieHeader(answer.headers),
  });
  expect(profile.data).toMatchObject({
    user: { email: person.email },
    flash: "password-changed",
  });
  expect(await signIn(app, { ...person, password: "another horse" })).toContain("__session=");
  expect(await signIn(app, person)).toBe("");

  const dead = {
    banner: {
      message:
        "Firebase: The action code is invalid. This can happen if the code is malformed, expired, or has already been used. (auth/invalid-action-code).",
      hint: "This link has been used or is too old. Ask for a new one.",
    },
  };
  expect(await app.send(loader, path)).toMatchObject({
    status: 400,
    data: { screen: { kind: "dead-link", ...dead } },
  });
  const again = await app.send(action, path, { form: { password: "a third horse" } });
  expect(again).toMatchObject({ status: 400, data: dead });
});

test.each([
  ["", "Password is required"],
  ["short", "Password must be at least 6 characters"],
])("the password %j is rejected, and the link stays valid", async (password, fault) => {
  await using app = await startApp();
  const { email } = await app.firebase.addAccount();
  const path = await askForLink(app, email);

  const answer = await app.send(action, path, { form: { password } });

  expect(answer).toMatchObject({ status: 400, data: { fieldErrors: { password: [fault] } } });
  expect(await app.send(loader, path)).toMatchObject({
    data: { screen: { kind: "new-password" } },
  });
});

test("a link without its code no longer works", async () => {
  await using app = await startApp();

  const page = await app.send(loader, "/login?mode=resetPassword");

  expect(page).toMatchObject({ status: 400, data: { screen: { kind: "dead-link" } } });
});

test.each([
  ["/login", "Sign In"],
  ["/login?reset=1", "Reset your password"],
  ["/login?reset=sent", "Reset your password"],
  ["/login?mode=verifyEmail&oobCode=x", "Confirm your e-mail"],
  ["/login?mode=verifyAndChangeEmail&oobCode=x", "Change your e-mail"],
  ["/login?mode=recoverEmail&oobCode=x", "Restore your old e-mail"],
  ["/login?mode=resetPassword&oobCode=x", "This link no longer works"],
])("the title of %s is that of its screen", async (path, title) => {
  await using app = await startApp();

  expect(await readTitle(app, path)).toBe(`${title} · Inkglade`);
});

test("the title names the screen of a valid link, and of one that cannot be checked", async () => {
  await using app = await startApp();
  await using cut = await startApp({ FIREBASE_AUTH_EMULATOR_HOST: "127.0.0.1:1" });
  const path = await askForLink(app, (await app.firebase.addAccount()).email);

  expect(await readTitle(app, path)).toBe("Choose a new password · Inkglade");
  expect(await readTitle(cut, path)).toBe("That didn't work · Inkglade");
});

test.each([
  ["/login?mode=resetPassword&oobCode=x", { password: "another horse" }],
  ["/login?mode=verifyEmail&oobCode=x", {}],
  ["/login?mode=verifyAndChangeEmail&oobCode=x", {}],
  ["/login?mode=recoverEmail&oobCode=x", {}],
])("an unavailable provider loses nothing at %s", async (path, form) => {
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

test("a link is not reported as expired when the provider is unavailable", async () => {
  await using app = await startApp({ FIREBASE_AUTH_EMULATOR_HOST: "127.0.0.1:1" });

  const page = await app.send(loader, "/login?mode=resetPassword&oobCode=x");

  expect(page).toMatchObject({
    status: 503,
    data: { screen: { kind: "dead-link", isUnavailable: true } },
  });
});

/** Returns the title of the page at /login for its loader's data. */
async function readTitle(app: TestApp, path: string): Promise<unknown> {
  const { data } = await app.send(loader, path);
  // Remix passes more arguments, which `meta` does not use.
  const args = { data } as Parameters<typeof meta>[0];
  const found = meta(args)?.find((entry) => "title" in entry);
  return found && "title" in found ? found.title : undefined;
}
