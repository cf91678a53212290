import { expect, test, vi } from "vitest";

import { loader as rootLoader } from "#app/root.tsx";
import { nextSecond } from "#tests/support/next-second.ts";
import { openBrowser, visit } from "#tests/support/profile-browser.ts";
import { signIn, startApp } from "#tests/support/routes.ts";

test.each(["change-password", "sign-out-everywhere", "delete-account"])(
  "rejects %s when the address now belongs to another account",
  async (intent) => {
    await using app = await startApp();
    const { person: ana, browser } = await visit(app);
    const tomas = await app.firebase.addAccount();
    const originalFetch = globalThis.fetch;
    vi.stubGlobal("fetch", (input: URL | string, init?: RequestInit) => {
      const isSignIn = String(input).includes("signInWithPassword");
      const { email, password } = tomas;
      const body = JSON.stringify({ email, password, returnSecureToken: true });
      return originalFetch(input, isSignIn ? { ...init, body } : init);
    });

    const response = await browser.submit(intent, {
      currentPassword: ana.password,
      newPassword: "another horse",
      email: ana.email,
      messages: "delete",
    });
    vi.unstubAllGlobals();

    expect(response).toMatchObject({
      status: 400,
      data: { banner: { message: expect.stringContaining("auth/user-mismatch") } },
    });
    expect(await signIn(app, ana)).toContain("__session=");
    expect(await signIn(app, tomas)).toContain("__session=");
  },
);

test("a new password replaces the old one and ends every other session", async () => {
  await using app = await startApp();
  const { person, browser } = await visit(app);
  const otherBrowser = openBrowser(app, await signIn(app, person));
  await nextSecond();

  const response = await browser.submit("change-password", {
    currentPassword: person.password,
    newPassword: "another horse",
  });

  expect([response.status, response.headers.get("Location")]).toEqual([
    303,
    "/profile?tab=security#change-password-flash",
  ]);
  expect((await browser.open()).data).toMatchObject({ flash: "password-changed" });
  expect(await signIn(app, { ...person, password: "another horse" })).toContain("__session=");
  expect(await signIn(app, person)).toBe("");
  await expectSignedOut(otherBrowser);
});

test.each([
  [
    "a wrong current password",
    { currentPassword: "wrong horse", newPassword: "another horse" },
    { fieldErrors: { currentPassword: ["Invalid password"] } },
  ],
  [
    "no password at all",
    {},
    {
      fieldErrors: {
        currentPassword: ["Password is required"],
        newPassword: ["Password is required"],
      },
    },
  ],
  [
    "a short new password",
    { currentPassword: "correct horse", newPassword: "short" },
    { fieldErrors: { newPassword: ["Password must be at least 6 characters"] } },
  ],
])("changes nothing with %s", async (_what, fields, expected) => {
  await using app = await startApp();
  const { person, browser } = await visit(app);

  const response = await browser.submit("change-password", fields);

  expect(response).toMatchObject({ status: 400, data: { form: "change-password", ...expected } });
  expect(JSON.stringify(response.data)).not.toContain("horse");
  expect(await signIn(app, person)).toContain("__session=");
});

test("limits password guessing on the profile as on Sign In", async () => {
  await using app = await startApp();
  const { browser } = await visit(app);
  const guess = () => browser.submit("sign-out-everywhere", { currentPassword: "wrong horse" });
  for (let tries = 0; tries < 5; tries += 1) await guess();

  expect(await guess()).toMatchObject({
    status: 429,
    data: { banner: { message: expect.stringContaining("auth/too-many-requests") } },
  });
});

test("signing out everywhere else keeps this session and the password", async () => {
  await using app = await startApp();
  const { person, browser } = await visit(app);
  const otherBrowser = openBrowser(app, await signIn(app, person));
  await nextSecond();

  const response = await browser.submit("sign-out-everywhere", {
    currentPassword: person.password,
  });

  expect(response.headers.get("Location")).toBe("/profile?tab=security#sign-out-everywhere-flash");
  expect((await browser.open()).data).toMatchObject({ flash: "signed-out-elsewhere" });
  expect((await browser.sendMessage("Still here")).status).toBe(303);
  await expectSignedOut(otherBrowser);
  expect(await signIn(app, person)).toContain("__session=");
});

test("signs the other browser out on any page within a minute, without a check on every page", async () => {
  await using app = await startApp();
  const { person, browser } = await visit(app);
  const cookie = await signIn(app, person);
  const loadRoot = async () => (await app.send(rootLoader, "/profile", { cookie })).data;
  expect(await loadRoot()).toMatchObject({ user: { email: person.email } });
  await nextSecond();
  await browser.submit("sign-out-everywhere", { currentPassword: person.password });
  expect(await loadRoot()).toMatchObject({ user: { email: person.email } });

  vi.setSystemTime(Date.now() + 31_000);
  const afterwards = await loadRoot();
  vi.useRealTimers();

  expect(afterwards).toMatchObject({ user: null });
});

async function expectSignedOut(browser: ReturnType<typeof openBrowser>) {
  const page = await browser.open();
  expect([page.status, page.headers.get("Location")]).toEqual([302, "/login"]);
}
