import { expect, test } from "vitest";

import { action as login } from "#app/routes/login.tsx";
import { action as register } from "#app/routes/register.tsx";
import { errorCatalogue, startFailingProvider } from "#tests/support/error-catalogue.ts";
import { startApp } from "#tests/support/routes.ts";

const rows = errorCatalogue.map((row, index) => ({ ...row, email: `${index}@example.com` }));
const password = "correct horse";

test.each(rows)('shows the right message on Sign In for "$wire"', async ({ email, ...row }) => {
  await using provider = await startFailingProvider();
  await using app = await startApp({ FIREBASE_AUTH_EMULATOR_HOST: provider.host });

  const response = await app.send(login, "/login", { form: { email, password } });

  expect(response.status).toBe(row.code === "too-many-requests" ? 429 : 400);
  expect(response.data).toEqual({ email, banner: row.signIn });
});

test.each(rows)('shows the right message on Sign Up for "$wire"', async ({ email, ...row }) => {
  await using provider = await startFailingProvider();
  await using app = await startApp({ FIREBASE_AUTH_EMULATOR_HOST: provider.host });

  const form = { email, password, confirmPassword: password };
  const response = await app.send(register, "/register", { form });

  expect(response.status).toBe(row.code === "too-many-requests" ? 429 : 400);
  expect(response.data).toMatchObject({
    banner: row.signUp,
    lastResult: { initialValue: { email } },
  });
  expect(JSON.stringify(response.data)).not.toContain(password);
});

test.each([
  ["/login", login],
  ["/register", register],
])("reports an unavailable provider on %s, and keeps the e-mail", async (path, action) => {
  await using app = await startApp({ FIREBASE_AUTH_EMULATOR_HOST: "127.0.0.1:1" });

  const form = { email: "ana@example.com", password, confirmPassword: password };
  const response = await app.send(action, path, { form });

  expect(response.status).toBe(503);
  expect(response.data).toMatchObject({
    banner: {
      message:
        "Firebase: A network AuthError (such as timeout, interrupted connection or unreachable host) has occurred. (auth/network-request-failed).",
      hint: "We can't reach the sign-in service. Nothing was lost; try again.",
    },
  });
  expect(JSON.stringify(response.data)).toContain("ana@example.com");
});
