import { expect, test } from "vitest";

import { action as profileAction, loader as profileLoader } from "#app/routes/profile.tsx";
import { action as fetchToken } from "#app/routes/firebase-token.ts";
import { LOCAL_API_KEY, LOCAL_PROJECT_ID } from "#emulator/local-project.ts";
import type { TestAccount } from "#tests/support/firebase.ts";
import { signInWithGoogle } from "#tests/support/google-account.ts";
import { signIn, startApp, type TestApp } from "#tests/support/routes.ts";

/** The address of `signInWithGoogle`. */
const EMAIL = "gina@example.com";

test("a Google sign-in ends the earlier sessions of the account with that e-mail address", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount({ email: EMAIL }));
  expect((await app.send(profileLoader, "/profile", { cookie })).status).toBe(200);

  const gina = await signInWithGoogle(app);

  const form = { intent: "save-profile", displayName: "Somebody" };
  const saved = await app.send(profileAction, "/profile", { cookie, form });
  expect([saved.status, saved.headers.get("Location")]).toEqual([303, "/login"]);
  expect((await app.send(fetchToken, "/firebase-token", { cookie, form: {} })).status).toBe(401);
  expect((await app.send(profileLoader, "/profile", { cookie: gina.cookie })).status).toBe(200);
});

test("sessions with a password go on when Google is linked to a confirmed address", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount({ email: EMAIL });
  await confirmAddress(app, person);
  const cookie = await signIn(app, person);

  await signInWithGoogle(app);

  const form = { intent: "save-profile", displayName: "Gina" };
  expect((await app.send(profileAction, "/profile", { cookie, form })).status).toBe(303);
});

async function confirmAddress({ firebase }: TestApp, { localId }: TestAccount): Promise<void> {
  const service = `http://${firebase.hosts.FIREBASE_AUTH_EMULATOR_HOST}/identitytoolkit.googleapis.com/v1`;
  await fetch(`${service}/projects/${LOCAL_PROJECT_ID}/accounts:update?key=${LOCAL_API_KEY}`, {
    method: "POST",
    headers: { Authorization: "Bearer owner", "Content-Type": "application/json" },
    body: JSON.stringify({ localId, emailVerified: true }),
  });
}
