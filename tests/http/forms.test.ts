import { expect, test } from "vitest";

import { readForm } from "#app/http/form.server.ts";
import { action as google } from "#app/routes/auth.google.ts";
import { action as consent } from "#app/routes/consent.ts";
import { action as create } from "#app/routes/create.tsx";
import { action as drafts } from "#app/routes/drafts.ts";
import { action as home } from "#app/routes/home.tsx";
import { action } from "#app/routes/login.tsx";
import { action as logout } from "#app/routes/logout.ts";
import { action as savePosition } from "#app/routes/reading-position.ts";
import { action as saveInAccount } from "#app/routes/reading-positions.ts";
import { action as profile } from "#app/routes/profile.tsx";
import { action as read } from "#app/routes/read.$id.tsx";
import { action as readingSettings } from "#app/routes/reading-settings.ts";
import { action as register } from "#app/routes/register.tsx";
import { action as roomMessages } from "#app/routes/room-messages.ts";
import { action as theme } from "#app/routes/theme.ts";
import { signIn, startApp, type Handler, type Outcome } from "#tests/support/routes.ts";

const DRAFT_ID = "abcdefghij0123456789";

/** Without the forms that send an e-mail, because those have a cooldown. */
const PROFILE_FORMS = [
  "save-profile",
  "change-password",
  "unlink-google",
  "sign-out-everywhere",
  "end-session",
  "delete-account",
];

test.each(["multipart", "urlencoded"])("a %s form has the line breaks of scripts", async (type) => {
  const fields = [["text", "# One\r\n\r\n  two \ttrailing  \rthree\n"]];
  const form = new FormData();
  for (const [name = "", value = ""] of fields) form.set(name, value);
  const body = type === "multipart" ? form : new URLSearchParams(fields);

  const read = await readForm(new Request("http://localhost", { method: "POST", body }), ["text"]);

  expect(read.get("text")).toBe("# One\n\n  two \ttrailing  \nthree\n");
});

test("a body that is not a form is rejected", async () => {
  await using app = await startApp();

  const response = await app.send(action, "/login", {
    body: JSON.stringify({ email: "ana@example.com" }),
    headers: { "Content-Type": "application/json" },
  });

  expect(response).toMatchObject({ status: 415, data: { message: expect.any(String) } });
});

test("a malformed form is rejected", async () => {
  await using app = await startApp();

  const response = await app.send(action, "/login", {
    body: "--x\r\nContent-Disposition: nonsense",
    headers: { "Content-Type": "multipart/form-data; boundary=y" },
  });

  expect(response).toMatchObject({ status: 400, data: { message: expect.any(String) } });
});

test("an oversized form is rejected, even without a Content-Length", async () => {
  await using app = await startApp();

  const response = await app.send(action, "/login", {
    body: new Blob(["text=", "x".repeat(100_000)]).stream(),
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
  });

  expect(response).toMatchObject({ status: 413, data: { message: expect.any(String) } });
});

/** Every form of the app, with values that can be sent repeatedly without changing anything. */
const FORMS: Record<string, { action: Handler; path?: string; fields: Record<string, string> }> = {
  login: { action, fields: { email: "a".repeat(300) } },
  register: { action: register, fields: { email: "ana", password: "short" } },
  "reset request": { action, path: "/login?reset=1", fields: { email: "ana" } },
  "new password": {
    action,
    path: "/login?mode=resetPassword&oobCode=none",
    fields: { password: "short" },
  },
  "e-mail code": { action, path: "/login?mode=verifyEmail&oobCode=none", fields: {} },
  home: { action: home, fields: { messageId: "message-0123456789abcdef", message: "Hello" } },
  read: { action: read, fields: { messageId: "message-0123456789abcdef", message: "Hello" } },
  "room messages": {
    action: roomMessages,
    fields: { messageId: "message-0123456789abcdef", message: "Hi" },
  },
  create: { action: create, fields: { intent: "save", id: DRAFT_ID, revision: "0", text: "Once" } },
  drafts: { action: drafts, fields: { intent: "save", id: DRAFT_ID, revision: "0", text: "Once" } },
  ...Object.fromEntries(
    PROFILE_FORMS.map((intent) => [
      `profile, ${intent}`,
      { action: profile, fields: { intent, displayName: "A\nB", photoURL: "no", session: "none" } },
    ]),
  ),
  "reading position": { action: savePosition, fields: { story: "none", paragraph: "p-1" } },
  "reading position in the account": { action: saveInAccount, fields: { position: "[]" } },
  theme: { action: theme, fields: { theme: "dark", stay: "true" } },
  consent: { action: consent, fields: { analytics: "yes", stay: "true" } },
  "reading settings": { action: readingSettings, fields: { size: "20", returnTo: "/home" } },
  google: { action: google, fields: { screen: "room", returnTo: "/home" } },
  logout: { action: logout, fields: { stay: "true" } },
};

/** Fields that no form of the app has, with names that a form library may turn into objects. */
const STRANGE_FIELDS = [
  ["x[1000000]", "1"],
  ["__intent__", "x"],
  ["__state__", "x"],
  [`a${".b".repeat(20_000)}`, "1"],
  ["email[100000]", "1"],
  ["email.a", "1"],
  ["__proto__", "1"],
  ["constructor[prototype]", "1"],
  ["x".repeat(60_000), "1"],
  ["", "1"],
] as const;

test.each(Object.keys(FORMS))("the form %s ignores unknown fields", async (name) => {
  await using app = await startApp();
  const form = FORMS[name];
  if (!form) throw new TypeError("Expected a form");
  const cookie = await signIn(app, await app.firebase.addAccount());
  const ask = (fields: Iterable<readonly [string, string]>) =>
    app.send(form.action, form.path ?? "/", {
      body: new URLSearchParams([...fields].map(([key, value]) => [key, value])),
      cookie: name.startsWith("profile") ? cookie : "",
    });

  const expected = await describeOutcome(await ask(Object.entries(form.fields)));

  for (const field of STRANGE_FIELDS) {
    const outcome = await ask([...Object.entries(form.fields), field]);
    expect(await describeOutcome(outcome), field[0].slice(0, 20)).toEqual(expected);
  }
});

test("a form with thousands of fields is rejected before it is parsed", async () => {
  await using app = await startApp();
  const fields = Array.from({ length: 5000 }, (_, index) => [`f${index}`, "1"]);
  const parts = new FormData();
  for (const [key = "", value = ""] of fields) parts.set(key, value);

  for (const body of [new URLSearchParams(fields), parts]) {
    const response = await app.send(create, "/create", { body });
    expect(response).toMatchObject({ status: 400, data: { message: expect.any(String) } });
  }
  const isRead = async (count: number) => {
    const body = new URLSearchParams(fields.slice(0, count));
    const request = new Request("http://localhost", { method: "POST", body });
    const form = await readForm(request, ["f0"]).catch(() => null);
    return form !== null;
  };
  expect([await isRead(65), await isRead(66)]).toEqual([true, false]);
});

test.each([
  'multipart/form-data; x="; boundary=a"; boundary=bb',
  String.raw`multipart/form-data; boundary="b\b"`,
  "application/x-www-form-urlencoded, multipart/form-data; boundary=bb",
])("the type %s hides no field from the limit", async (type) => {
  const part = '--bb\r\nContent-Disposition: form-data; name="text"\r\n\r\n\r\n';
  const headers = { "Content-Type": type };
  const body = `${part.repeat(100)}--bb--\r\n`;
  const request = new Request("http://localhost", { method: "POST", headers, body });

  const form = await readForm(request, ["text"]).catch(() => null);

  expect(form?.get("text") ?? null).toBeNull();
});

test("lines that look like the end of a part do not count as fields", async () => {
  await using app = await startApp();
  const body = new FormData();
  for (const [key, value] of Object.entries(FORMS.create?.fields ?? {})) body.set(key, value);
  body.set("text", "A line\r\n--\r\n--------\r\n& more\r\n".repeat(1000));

  // Rejected only because there is no session, and with the typed text.
  expect(await app.send(create, "/create", { body })).toMatchObject({
    status: 401,
    data: { typed: { text: "A line\n--\n--------\n& more\n".repeat(1000) } },
  });
});

test("a file instead of a text counts as a missing field", async () => {
  await using app = await startApp();
  const body = new FormData();
  body.set("email", new File(["ana@example.com"], "email.txt"));
  body.set("password", "correct horse");
  body.set("confirmPassword", "correct horse");

  expect(await app.send(register, "/register", { body })).toMatchObject({
    status: 400,
    data: { lastResult: { error: { email: ["Email is required"] } } },
  });
});

test("only the first value of a repeated field is validated and used", async () => {
  await using app = await startApp();
  const { email, password } = await app.firebase.addAccount();
  const body = new URLSearchParams({ email, password });
  body.append("email", "somebody-else@example.com");
  body.append("password", "wrong");

  expect(await app.send(action, "/login", { body })).toMatchObject({ status: 303 });
});

/** Returns the parts of a response that do not differ between requests. */
async function describeOutcome({ status, headers, ...outcome }: Outcome) {
  const body: unknown = outcome instanceof Response ? await outcome.text() : outcome.data;
  return { status, to: headers.get("Location")?.split("?")[0], body };
}
