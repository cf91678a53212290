import { expect, test } from "vitest";

import { loader as login } from "#app/routes/login.tsx";
import { action as logout } from "#app/routes/logout.ts";
import { action, loader } from "#app/routes/profile.tsx";
import type { TestAccount } from "#tests/support/firebase.ts";
import { signIn, startApp, toCookieHeader, type TestApp } from "#tests/support/routes.ts";

const TYPED = { displayName: "Ana Reyes", photoURL: "not a link" };

/** Submits the profile form after the session has ended, and returns the cookies that the response sets. */
async function submitSignedOut(app: TestApp, { localId: uid }: TestAccount): Promise<string> {
  const form = { intent: "save-profile", uid, ...TYPED };
  const response = await app.send(action, "/profile", { form });
  expect([response.status, response.headers.get("Location")]).toEqual([303, "/login"]);
  expect(response.headers.getSetCookie()).toContainEqual(
    expect.stringMatching(/^unsaved=[\w.-]+; Max-Age=1800; Path=\/; HttpOnly; SameSite=Lax$/),
  );
  return toCookieHeader(response.headers);
}

test("keeps a name and photo submitted after the session has ended until the user saves them", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount({ displayName: "Ana" });
  const unsavedCookie = await submitSignedOut(app, person);
  expect((await app.send(login, "/login", { cookie: unsavedCookie })).data).toMatchObject({
    flashText: {
      message: "You were signed out for your security. Sign in again; your text is safe.",
    },
  });

  const cookie = `${unsavedCookie}; ${await signIn(app, person)}`;

  // Loading the page does not delete them.
  for (const _visit of [1, 2]) {
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

test("keeps a name submitted with a large picture after the session has ended", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount({ displayName: "Ana" });
  const endedCookie = await signIn(app, person);
  await app.send(logout, "/logout", { cookie: endedCookie, form: {} });
  const body = new FormData();
  const fields = { intent: "save-profile", uid: person.localId, ...TYPED };
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  body.set("photo", new File([new Uint8Array(200_000)], "ana.jpg", { type: "image/jpeg" }));

  const response = await app.send(action, "/profile", { cookie: endedCookie, body });
  expect([response.status, response.headers.get("Location")]).toEqual([303, "/login"]);
  const cookie = `${await signIn(app, person)}; ${toCookieHeader(response.headers)}`;
  expect((await app.send(loader, "/profile", { cookie })).data).toMatchObject({ unsaved: TYPED });

  const other = await app.send(action, "/profile", { body });
  expect(other.status, "a visitor's picture is not read").toBe(413);
});

test("keeps a line about the user submitted after the session has ended until they save it", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount({ displayName: "Ana" });
  const form = { intent: "save-about", uid: person.localId, about: "Ghosts.\nWith good manners." };
  const response = await app.send(action, "/profile", { form });
  const unsavedCookie = toCookieHeader(response.headers);
  expect((await app.send(login, "/login", { cookie: unsavedCookie })).data).toMatchObject({
    flashText: {
      message: "You were signed out for your security. Sign in again; your text is safe.",
    },
  });

  const cookie = `${unsavedCookie}; ${await signIn(app, person)}`;

  const { about } = form;
  expect((await app.send(loader, "/profile", { cookie })).data).toMatchObject({
    about: "",
    unsaved: { about },
  });
  const saveName = { intent: "save-profile", uid: person.localId, displayName: "Ana Reyes" };
  const named = await app.send(action, "/profile", { cookie, form: saveName });
  expect(named.headers.getSetCookie().join()).not.toContain("unsaved=");
  const saved = await app.send(action, "/profile", { cookie, form: { ...form, about: "Ghosts." } });
  expect(saved.headers.get("Location")).toBe("/profile?tab=name#save-about-flash");
  expect(saved.headers.getSetCookie()).toContainEqual(
    expect.stringMatching(/^unsaved=; Max-Age=0/),
  );
});

test("never shows unsaved values to another user", async () => {
  await using app = await startApp();
  const unsavedCookie = await submitSignedOut(app, await app.firebase.addAccount());

  const cookie = `${unsavedCookie}; ${await signIn(app, await app.firebase.addAccount())}`;

  expect((await app.send(loader, "/profile", { cookie })).data).toMatchObject({ unsaved: null });
});

test("keeps no passwords, no other forms and nothing too large for a cookie", async () => {
  await using app = await startApp();
  const forms: Record<string, string>[] = [
    { intent: "change-password", currentPassword: "correct horse", newPassword: "another horse" },
    { intent: "delete-account", email: "ana@example.com", currentPassword: "correct horse" },
    { intent: "save-profile", uid: "1", displayName: "x".repeat(10_000) },
    { intent: "save-about", uid: "1", about: "x".repeat(10_000) },
  ];

  for (const fields of forms) {
    const response = await app.send(action, "/profile", { form: fields });
    expect(response.headers.get("Location")).toBe("/login");
    expect(response.headers.getSetCookie().join()).not.toContain("unsaved=");
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
  const response = await app.send(action, "/profile", { cookie, form });

  expect(response).toMatchObject({
    status: 401,
    data: { banner: { message: "Someone else is signed in here now." }, values: typed },
  });
  expect((await app.send(loader, "/profile", { cookie })).data).toMatchObject({
    user: { displayName: "Tomas" },
  });
});
