import { expect, test } from "vitest";

import { action } from "#app/routes/profile.tsx";
import { action as register } from "#app/routes/register.tsx";
import { signInWithGoogle } from "#tests/support/google-account.ts";
import { readMails } from "#tests/support/mail.ts";
import { openBrowser, visit } from "#tests/support/profile-browser.ts";
import { startApp, toCookieHeader } from "#tests/support/routes.ts";

test("sends the confirmation again only after a minute", async () => {
  await using app = await startApp();
  const { person, browser } = await visit(app);

  const sent = await browser.submit("send-confirmation");
  const tooSoon = await browser.submit("send-confirmation");

  expect([sent.status, sent.headers.get("Location")]).toEqual([
    303,
    "/profile#send-confirmation-flash",
  ]);
  expect(tooSoon).toMatchObject({
    status: 429,
    data: {
      form: "send-confirmation",
      banner: {
        message: "We already sent you a link.",
        hint: expect.stringMatching(/^You can ask for another in (60|5\d) seconds\.$/),
      },
    },
  });
  expect(await readMails(app.firebase)).toMatchObject([
    { email: person.email, requestType: "VERIFY_EMAIL" },
  ]);
});

test.each(["send-confirmation", "send-password-link"])(
  "rejects the sixth e-mail without the cooldown cookie: %s",
  async (intent) => {
    await using app = await startApp();
    const { cookie } = await signInWithGoogle(app);
    const send = () => app.send(action, "/profile", { cookie, form: { intent } });
    const responses = await Promise.all(Array.from({ length: 6 }, send));

    const statuses = responses.map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([303, 303, 303, 303, 303, 429]);
    expect(responses[statuses.indexOf(429)]).toMatchObject({
      data: { banner: { message: expect.stringContaining("auth/too-many-requests") } },
    });
  },
);

test("the registration e-mail starts the cooldown", async () => {
  await using app = await startApp();
  const form = {
    email: "Ana@example.com",
    password: "correct horse",
    confirmPassword: "correct horse",
  };
  const { headers } = await app.send(register, "/register", { form });
  const browser = openBrowser(app, toCookieHeader(headers));

  const response = await browser.submit("send-confirmation");

  expect(response.status).toBe(429);
});

test("sends a link to choose a password to an account created with Google", async () => {
  await using app = await startApp();
  const { email, cookie } = await signInWithGoogle(app);
  const browser = openBrowser(app, cookie);

  expect((await browser.open()).data).toMatchObject({ security: { hasPassword: false } });
  const response = await browser.submit("send-password-link");

  expect((await browser.open()).data).toMatchObject({ flash: "password-link-sent" });
  expect(response.status).toBe(303);
  expect(await readMails(app.firebase)).toMatchObject([{ email, requestType: "PASSWORD_RESET" }]);
  expect((await browser.submit("send-password-link")).status).toBe(429);
});
