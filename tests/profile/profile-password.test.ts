import { expect, test, vi } from "vitest";

import { loader as rootLoader } from "#app/root.tsx";
import { nextSecond } from "#tests/support/next-second.ts";
import { openBrowser, visit } from "#tests/support/profile-browser.ts";
import { signIn, startApp } from "#tests/support/routes.ts";

test.each(["change-password", "sign-out-everywhere", "delete-account"])(
  "%s is refused when the password is that of another account, which has the address now",
  async (intent) => {
    await using app = await startApp();
    const { person: ana, browser } = await visit(app);
    const tomas = await app.firebase.addAccount();
    const askFor = globalThis.fetch;
    vi.stubGlobal("fetch", (input: URL | string, init?: RequestInit) => {
      const isSignIn = String(input).includes("signInWithPassword");
      const { email, password } = tomas;
      const body = JSON.stringify({ email, password, returnSecureToken: true });
      return askFor(input, isSignIn ? { ...init, body } : init);
    });

    const answer = await browser.submit(intent, {
      currentPassword: ana.password,
      newPassword: "another horse",
      email: ana.email,
      messages: "delete",
    });
    vi.unstubAllGlobals();

    expect(answer).toMatchObject({
      status: 400,
      data: { banner: { message: expect.stringContaining("auth/user-mismatch") } },
    });
    expect(await signIn(app, ana)).toContain("__session=");
    expect(await signIn(app, tomas)).toContain("__session=");
  },
);

test("a new password takes the old one, and ends every other session", async () => {
  await using app = await startApp();
  const { person, browser } = await visit(app);
  const elsewhere = openBrowser(app, await signIn(app, person));
  await nextSecond();

  const answer = await browser.submit("change-password", {
    currentPassword: person.password,
    newPassword: "another horse",
  });

  expect([answer.status, answer.headers.get("Location")]).toEqual([
    303,
    "/profile?tab=security#change-password-answer",
  ]);
  expect((await browser.open()).data).toMatchObject({ notice: "password-changed" });
  expect(await signIn(app, { ...person, password: "another horse" })).toContain("__session=");
  expect(await signIn(app, person)).toBe("");
  await expectSignedOut(elsewhere);
});

test.each([
  [
    "a wrong current password",
    { currentPassword: "wrong horse", newPassword: "another horse" },
    { banner: { message: "Invalid password" } },
  ],
  [
    "no password at all",
    {},
    {
      faults: {
        currentPassword: ["Password is required"],
        newPassword: ["Password is required"],
      },
    },
  ],
  [
    "a short new password",
    { currentPassword: "correct horse", newPassword: "short" },
    { faults: { newPassword: ["Password must be at least 6 characters"] } },
  ],
])("%s changes nothing", async (_what, fields, reply) => {
  await using app = await startApp();
  const { person, browser } = await visit(app);

  const answer = await browser.submit("change-password", fields);

  expect(answer).toMatchObject({ status: 400, data: { form: "change-password", ...reply } });
  expect(JSON.stringify(answer.data)).not.toContain("horse");
  expect(await signIn(app, person)).toContain("__session=");
});

test("guessing the password at the profile is limited as at Sign In", async () => {
  await using app = await startApp();
  const { browser } = await visit(app);
  const guess = () => browser.submit("sign-out-everywhere", { currentPassword: "wrong horse" });
  for (let tries = 0; tries < 5; tries += 1) await guess();

  expect(await guess()).toMatchObject({
    status: 429,
    data: { banner: { message: expect.stringContaining("auth/too-many-requests") } },
  });
});

test("signing out everywhere leaves this session, with the same password", async () => {
  await using app = await startApp();
  const { person, browser } = await visit(app);
  const elsewhere = openBrowser(app, await signIn(app, person));
  await nextSecond();

  const answer = await browser.submit("sign-out-everywhere", { currentPassword: person.password });

  expect(answer.headers.get("Location")).toBe("/profile?tab=security#sign-out-everywhere-answer");
  expect((await browser.open()).data).toMatchObject({ notice: "signed-out-elsewhere" });
  expect((await browser.sendMessage("Still here")).status).toBe(303);
  await expectSignedOut(elsewhere);
  expect(await signIn(app, person)).toContain("__session=");
});

test("the other browser is out on any page of theirs within a minute, and is not asked about more often than it has to be", async () => {
  await using app = await startApp();
  const { person, browser } = await visit(app);
  const cookie = await signIn(app, person);
  const look = async () => (await app.send(rootLoader, "/profile", { cookie })).data;
  expect(await look()).toMatchObject({ user: { email: person.email } });
  await nextSecond();
  await browser.submit("sign-out-everywhere", { currentPassword: person.password });
  expect(await look()).toMatchObject({ user: { email: person.email } });

  vi.setSystemTime(Date.now() + 31_000);
  const later = await look();
  vi.useRealTimers();

  expect(later).toMatchObject({ user: null });
});

async function expectSignedOut(browser: ReturnType<typeof openBrowser>) {
  const page = await browser.open();
  expect([page.status, page.headers.get("Location")]).toEqual([302, "/login"]);
}
