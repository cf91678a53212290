import { expect, test } from "vitest";

import { action } from "#app/routes/login.tsx";
import { loader as profileLoader } from "#app/routes/profile.tsx";
import { startApp, toCookieHeader } from "#tests/support/routes.ts";

test("the right password leads to the profile", async () => {
  await using app = await startApp();
  const { email, password } = await app.firebase.addAccount({ displayName: "Ana Reyes" });

  const response = await app.send(action, "/login", { form: { email, password } });

  expect(response.status).toBe(303);
  expect(response.headers.get("Location")).toBe("/profile");
  expect(response.headers.get("Set-Cookie")).toMatch(
    /^__session=.+; Max-Age=1209600; Path=\/; HttpOnly; SameSite=Lax$/,
  );
  const profile = await app.send(profileLoader, "/profile", {
    cookie: toCookieHeader(response.headers),
  });
  expect(profile.data).toMatchObject({ user: { email, displayName: "Ana Reyes" } });
});

test.each([
  [
    "photo link",
    { displayName: "Ana Reyes", photoUrl: `https://a.example/${"x".repeat(1900)}` },
    "Ana Reyes",
  ],
  ["name", { displayName: "名".repeat(600) }, null],
])(
  "a user whose %s is too long for the session signs in without it",
  async (_what, names, name) => {
    await using app = await startApp();
    const { email, password } = await app.firebase.addAccount(names);

    for (const _time of [1, 2]) {
      const response = await app.send(action, "/login", { form: { email, password } });

      expect([response.status, response.headers.get("Location")]).toEqual([303, "/profile"]);
      const cookie = toCookieHeader(response.headers);
      expect((await app.send(profileLoader, "/profile", { cookie })).data).toMatchObject({
        user: { email, displayName: name, photoURL: null },
      });
    }
  },
);

test("the cookie is Secure on https only", async () => {
  await using app = await startApp();
  const { email, password } = await app.firebase.addAccount();

  const response = await app.send(action, "https://inkglade.example/login", {
    form: { email, password },
  });

  expect(response.headers.get("Set-Cookie")).toContain("; Secure");
});

test("reports a wrong password, keeps the e-mail and sets no cookie", async () => {
  await using app = await startApp();
  const { email } = await app.firebase.addAccount();

  const response = await app.send(action, "/login", { form: { email, password: "wrong horse" } });

  expect(response.status).toBe(400);
  expect(response.data).toEqual({ email, banner: { message: "Invalid password" } });
  expect(response.headers.has("Set-Cookie")).toBe(false);
});

test("reports an unknown address", async () => {
  await using app = await startApp();

  const form = { email: "nobody@example.com", password: "correct horse" };
  const response = await app.send(action, "/login", { form });

  expect(response.data).toMatchObject({ banner: { message: "User not found" } });
});

test("shows the provider's error for an empty form", async () => {
  await using app = await startApp();

  const response = await app.send(action, "/login", { form: { email: "", password: "" } });

  expect(response.status).toBe(400);
  expect(response.data).toMatchObject({
    banner: { message: "Firebase: The email address is badly formatted. (auth/invalid-email)." },
  });
});

test("a disabled account is not reported as a wrong password", async () => {
  await using app = await startApp();
  const { email, password } = await app.firebase.addAccount({ disabled: true });

  const response = await app.send(action, "/login", { form: { email, password } });

  expect(response.data).toMatchObject({
    banner: {
      message:
        "Firebase: The user account has been disabled by an administrator. (auth/user-disabled).",
    },
  });
});

test("rejects an address that is too long without calling the provider", async () => {
  await using app = await startApp({ FIREBASE_AUTH_EMULATOR_HOST: "127.0.0.1:1" });

  const form = { email: `${"a".repeat(300)}@example.com`, password: "correct horse" };
  const response = await app.send(action, "/login", { form });

  expect(response.status).toBe(400);
  expect(response.data).toEqual({
    email: form.email,
    banner: { message: "This e-mail address is too long" },
  });
});
