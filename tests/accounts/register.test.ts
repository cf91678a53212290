import { expect, test, vi } from "vitest";

import { action as profileAction, loader as profileLoader } from "#app/routes/profile.tsx";
import { action } from "#app/routes/register.tsx";
import { startApp, toCookieHeader } from "#tests/support/routes.ts";

const ana = {
  email: "ana@example.com",
  password: "correct horse",
  confirmPassword: "correct horse",
};

test("registration signs in and leads to the profile", async () => {
  await using app = await startApp();

  const response = await app.send(action, "/register", { form: ana });

  expect(response.status).toBe(303);
  expect(response.headers.get("Location")).toBe("/profile");
  expect(response.headers.getSetCookie()).toContainEqual(expect.stringMatching(/^__session=./));
});

const mailFailures = {
  "an error response": () =>
    Response.json({ error: { message: "QUOTA_EXCEEDED" } }, { status: 400 }),
  "a bad gateway": () => new Response("<h1>Bad gateway</h1>", { status: 502 }),
  "an HTML page": () => new Response("<h1>Hello</h1>"),
  "a network error": () => Promise.reject(new TypeError("fetch failed")),
  "a timeout": () => Promise.reject(new DOMException("", "TimeoutError")),
};

test.each(Object.entries(mailFailures))(
  "registers the user when the first e-mail fails with %s, and the profile can send another",
  async (_what, respond) => {
    await using app = await startApp();
    const originalFetch = globalThis.fetch;
    vi.stubGlobal("fetch", (input: URL | string, init?: RequestInit) =>
      String(input).includes("sendOobCode") ? respond() : originalFetch(input, init),
    );
    const response = await app.send(action, "/register", { form: ana });
    vi.unstubAllGlobals();

    expect([response.status, response.headers.get("Location")]).toEqual([303, "/profile"]);
    const cookie = toCookieHeader(response.headers);
    expect((await app.send(profileLoader, "/profile", { cookie })).data).toMatchObject({
      user: { email: ana.email },
      security: { isEmailConfirmed: false },
    });
    const form = { intent: "send-confirmation" };
    expect((await app.send(profileAction, "/profile", { cookie, form })).status).toBe(303);
  },
);

test("reports an address in use and keeps the values, except the passwords", async () => {
  await using app = await startApp();
  await app.firebase.addAccount({ email: ana.email });

  const response = await app.send(action, "/register", { form: ana });

  expect(response.status).toBe(400);
  expect(response.data).toMatchObject({
    banner: { message: "Email already in use" },
    lastResult: { initialValue: { email: ana.email } },
  });
  expect(JSON.stringify(response.data)).not.toContain(ana.password);
});

test.each([
  ["no address", { email: "" }, { email: ["Email is required"] }],
  ["an invalid address", { email: "ana" }, { email: ["Invalid email"] }],
  [
    "no password",
    { password: "", confirmPassword: "" },
    { password: ["Password is required"], confirmPassword: ["Confirmation is required"] },
  ],
  [
    "a short password",
    { password: "12345", confirmPassword: "12345" },
    { password: ["Password must be at least 6 characters"] },
  ],
  [
    "no confirmation",
    { confirmPassword: "" },
    { confirmPassword: ["Confirmation is required", "Passwords do not match"] },
  ],
  [
    "a different confirmation",
    { confirmPassword: "correct house" },
    { confirmPassword: ["Passwords do not match"] },
  ],
  [
    "several errors",
    { email: "ana", password: "12345", confirmPassword: "123" },
    {
      email: ["Invalid email"],
      password: ["Password must be at least 6 characters"],
      confirmPassword: ["Passwords do not match"],
    },
  ],
])("reports %s without calling the provider", async (_what, fields, error) => {
  await using app = await startApp({ FIREBASE_AUTH_EMULATOR_HOST: "127.0.0.1:1" });

  const response = await app.send(action, "/register", { form: { ...ana, ...fields } });

  expect(response.status).toBe(400);
  expect(response.data).toMatchObject({ lastResult: { status: "error", error } });
});

test("accepts three emoji as a password, because they have six UTF-16 units", async () => {
  await using app = await startApp({ FIREBASE_AUTH_EMULATOR_HOST: "127.0.0.1:1" });

  const form = { ...ana, password: "🌿🌿🌿", confirmPassword: "🌿🌿🌿" };
  const response = await app.send(action, "/register", { form });

  // The form is valid: the error comes from the unavailable provider.
  expect(response.status).toBe(503);
});

test("rejects an address that only the provider finds invalid", async () => {
  await using app = await startApp();

  // Valid in the HTML standard, but not for the provider.
  const form = { ...ana, email: "ana@" + "a".repeat(63) + ".example..com" };
  const response = await app.send(action, "/register", { form });

  expect(response.status).toBe(400);
});
