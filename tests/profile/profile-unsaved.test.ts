import { expect, test } from "vitest";

import { loader as login } from "#app/routes/login.tsx";
import { action, loader } from "#app/routes/profile.tsx";
import type { TestAccount } from "#tests/support/firebase.ts";
import { signIn, startApp, toCookieHeader, type TestApp } from "#tests/support/routes.ts";

const TYPED = { displayName: "Ana Reyes", photoURL: "nonsense, but typed" };

/** Submits the form of a page that was opened before the session ended, and returns the remaining cookies. */
async function saveTooLate(app: TestApp, { localId: uid }: TestAccount): Promise<string> {
  const form = { intent: "save-profile", uid, ...TYPED };
  const answer = await app.send(action, "/profile", { form });
  expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/login"]);
  expect(answer.headers.getSetCookie()).toContainEqual(
    expect.stringMatching(/^unsaved=[\w.-]+; Max-Age=1800; Path=\/; HttpOnly; SameSite=Lax$/),
  );
  return toCookieHeader(answer.headers);
}

test("name and photo submitted after the session ended wait until the user saves them", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount({ displayName: "Ana" });
  const left = await saveTooLate(app, person);
  expect((await app.send(login, "/login", { cookie: left })).data).toMatchObject({
    flash: "session-ended",
  });

  const cookie = `${left}; ${await signIn(app, person)}`;

  // Loading the page does not delete them.
  for (const _look of [1, 2]) {
    expect((await app.send(loader, "/profile", { cookie })).data).toMatchObject({
      user: { displayName: "Ana" },
      unsaved: TYPED,
    });
  }
  const form = { intent: "save-profile", uid: person.localId, displayName: "Ana Reyes" };
  const saved = await app.send(action, "/profile", { cookie, form });
  expect(saved.headers.get("Location")).toBe("/profile?tab=name#save-profile-flash");
  expect(saved.headers.getSetCookie()).toContainEqual(
    expect.stringMatching(/^unsaved=; Max-Age=0/),
  );
});

test("another user never sees them", async () => {
  await using app = await startApp();
  const left = await saveTooLate(app, await app.firebase.addAccount());

  const cookie = `${left}; ${await signIn(app, await app.firebase.addAccount())}`;

  expect((await app.send(loader, "/profile", { cookie })).data).toMatchObject({ unsaved: null });
});

test("keeps no password, no other form, and nothing too large for a cookie", async () => {
  await using app = await startApp();
  const forms: Record<string, string>[] = [
    { intent: "change-password", currentPassword: "correct horse", newPassword: "another horse" },
    { intent: "delete-account", email: "ana@example.com", currentPassword: "correct horse" },
    { intent: "save-profile", uid: "1", displayName: "x".repeat(10_000) },
  ];

  for (const fields of forms) {
    const answer = await app.send(action, "/profile", { form: fields });
    expect(answer.headers.get("Location")).toBe("/login");
    expect(answer.headers.getSetCookie().join()).not.toContain("unsaved=");
  }
});

test("saves nothing to the account of a user who signed in from another tab", async () => {
  await using app = await startApp();
  const [ana, tomas] = [
    await app.firebase.addAccount(),
    await app.firebase.addAccount({ displayName: "Tomas" }),
  ];
  const cookie = await signIn(app, tomas);

  const typed = { displayName: "Ana Reyes", photoURL: "" };
  const form = { intent: "save-profile", uid: ana.localId, ...typed };
  const answer = await app.send(action, "/profile", { cookie, form });

  expect(answer).toMatchObject({
    status: 409,
    data: { banner: { message: "Someone else is signed in here now." }, values: typed },
  });
  expect((await app.send(loader, "/profile", { cookie })).data).toMatchObject({
    user: { displayName: "Tomas" },
  });
});
