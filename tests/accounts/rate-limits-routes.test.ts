import { expect, test } from "vitest";

import { action as login } from "#app/routes/login.tsx";
import { action as register } from "#app/routes/register.tsx";
import { startApp, type TestApp } from "#tests/support/routes.ts";

const email = "ana@example.com";
const password = "correct horse";
const headers = { "CF-Connecting-IP": "192.0.2.1" };

const tooManyAttempts = {
  status: 429,
  data: {
    banner: {
      message:
        "Firebase: We have blocked all requests from this device due to unusual activity. Try again later. (auth/too-many-requests).",
      hint: "Too many attempts. Wait a few minutes, or reset your password.",
    },
  },
};

function signIn(app: TestApp, form: { email: string; password: string }) {
  return app.send(login, "/login", { form, headers });
}

test("stops password guessing, even when the last password is right", async () => {
  await using app = await startApp();
  const ana = await app.firebase.addAccount({ email, password });
  const tomas = await app.firebase.addAccount();

  for (let guess = 0; guess < 5; guess += 1) {
    const response = await signIn(app, { email, password: `guess ${guess}` });
    expect(response.data).toMatchObject({ banner: { message: "Invalid password" } });
  }

  const sixth = await signIn(app, ana);
  expect(sixth).toMatchObject(tooManyAttempts);
  expect(sixth.data).toMatchObject({ email });
  expect(sixth.headers.has("Set-Cookie")).toBe(false);
  expect(await signIn(app, tomas), "another account").toMatchObject({ status: 303 });
});

test("the reset of a password, which is limited too, does not advise to reset the password", async () => {
  await using app = await startApp();
  const reset = () => app.send(login, "/login?reset=1", { form: { email }, headers });
  const responses = await Promise.all(Array.from({ length: 6 }, reset));

  const hint = "Too many attempts. Wait a few minutes.";
  const refused = responses.find(({ status }) => status === 429);
  expect(refused).toMatchObject({ data: { email, banner: { hint } } });
});

test("limits registrations from one network address", async () => {
  await using app = await startApp();

  const responses = [];
  for (let index = 0; index < 31; index += 1) {
    const form = { email: `${index}@example.com`, password, confirmPassword: password };
    responses.push(await app.send(register, "/register", { form, headers }));
  }

  expect(responses.map(({ status }) => status)).toEqual([...Array<number>(30).fill(303), 429]);
  expect(responses.at(-1)).toMatchObject(tooManyAttempts);
  expect(JSON.stringify(responses.at(-1)?.data)).not.toContain(password);
});

test("an invalid Sign Up form does not count towards the limit", async () => {
  await using app = await startApp();
  const invalidForm = { email, password, confirmPassword: "" };
  for (let index = 0; index < 10; index += 1) {
    await app.send(register, "/register", { form: invalidForm, headers });
  }

  const form = { ...invalidForm, confirmPassword: password };
  expect(await app.send(register, "/register", { form, headers })).toMatchObject({
    status: 303,
  });
});
