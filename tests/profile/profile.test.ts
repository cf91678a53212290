import { expect, test, vi } from "vitest";

import { PROFILE_FORMS } from "#app/profile/profile-view.ts";
import { action, loader } from "#app/routes/profile.tsx";
import { visit } from "#tests/support/profile-browser.ts";
import { readMessages } from "#tests/support/room-feed.ts";
import { signIn, startApp } from "#tests/support/routes.ts";

const PHOTO = "https://example.com/ana.png";

test("the profile requires sign-in", async () => {
  await using app = await startApp();

  const page = await app.send(loader, "/profile");
  const response = await app.send(action, "/profile", { form: { intent: "save-profile" } });

  expect([page.status, page.headers.get("Location")]).toEqual([302, "/login"]);
  expect([response.status, response.headers.get("Location")]).toEqual([303, "/login"]);
});

test("the profile shows the account and the chosen tab", async () => {
  await using app = await startApp();
  const { person, browser } = await visit(app);

  expect((await browser.open()).data).toMatchObject({
    user: { email: person.email, displayName: null, photoURL: null },
    tab: "name",
    security: {
      isEmailConfirmed: false,
      hasPassword: true,
      createdAt: expect.stringContaining(String(new Date().getFullYear())),
      signedInAt: expect.stringContaining(String(new Date().getFullYear())),
    },
  });
  expect((await browser.open("/profile?tab=security")).data).toMatchObject({ tab: "security" });
  expect((await browser.open("/profile?tab=nonsense")).data).toMatchObject({ tab: "name" });
});

test("a new name and photo show on the next message, and not on earlier ones", async () => {
  await using app = await startApp();
  const { browser } = await visit(app);
  await browser.sendMessage("Before");

  const response = await browser.submit("save-profile", {
    displayName: " Ana Reyes ",
    photoURL: PHOTO,
  });

  expect([response.status, response.headers.get("Location")]).toEqual([
    303,
    "/profile?tab=name#save-profile-flash",
  ]);
  expect((await browser.open()).data).toMatchObject({
    flash: "profile-saved",
    user: { displayName: "Ana Reyes", photoURL: PHOTO },
  });
  await browser.sendMessage("After");
  expect(await readMessages(app)).toMatchObject([
    { text: "Before", displayName: "Anonymous", photoURL: null },
    { text: "After", displayName: "Ana Reyes", photoURL: PHOTO },
  ]);
});

test("an empty name and photo delete the old values", async () => {
  await using app = await startApp();
  const { browser } = await visit(app, { displayName: "Ana", photoUrl: PHOTO });

  await browser.submit("save-profile", { displayName: "", photoURL: "" });

  expect((await browser.open()).data).toMatchObject({
    user: { displayName: null, photoURL: null },
  });
});

test.each([
  ["Https://example.com/ana.png", PHOTO],
  ["HTTPS://example.com/ana.png", PHOTO],
  ["https:example.com/ana.png", PHOTO],
  ["https:/example.com/ana.png", PHOTO],
  ["https://example.com/写真.png", "https://example.com/%E5%86%99%E7%9C%9F.png"],
])("saves the photo link %s in a form that messages can have", async (typed, photoURL) => {
  await using app = await startApp();
  const { browser } = await visit(app);

  await browser.submit("save-profile", { photoURL: typed });

  expect((await browser.open()).data).toMatchObject({ user: { photoURL } });
  await browser.sendMessage("Hello");
  expect(await readMessages(app)).toMatchObject([{ text: "Hello", photoURL }]);
});

test("a user whose saved photo link messages cannot have sends them without a photo", async () => {
  await using app = await startApp();
  const { browser } = await visit(app, { photoUrl: "Https://example.com/ana.png" });

  await browser.sendMessage("Hello");

  expect(await readMessages(app)).toMatchObject([{ text: "Hello", photoURL: null }]);
});

test.each([
  [
    "a long name",
    { displayName: "x".repeat(81) },
    { displayName: ["A name can have up to 80 characters"] },
  ],
  [
    "a name with a line break",
    { displayName: "A\nB" },
    { displayName: ["A name must fit on one line"] },
  ],
  [
    "an invisible name",
    { displayName: "\u200B\u3164" },
    { displayName: ["A name needs at least one visible character"] },
  ],
  [
    "an http: link",
    { photoURL: "http://a.example/b" },
    { photoURL: ["A photo link must begin with https://"] },
  ],
  [
    "a javascript: link",
    { photoURL: "javascript:alert(1)" },
    { photoURL: ["A photo link must begin with https://"] },
  ],
  [
    "a long link",
    { photoURL: `https://a.example/${"x".repeat(500)}` },
    { photoURL: ["A photo link can have up to 500 characters"] },
  ],
  [
    "a link that is too long when encoded",
    { photoURL: `https://a.example/${"写".repeat(54)}` },
    { photoURL: ["A photo link can have up to 500 characters"] },
  ],
])("rejects %s and keeps it in the form", async (_what, fields, fieldErrors) => {
  await using app = await startApp();
  const { browser } = await visit(app, { displayName: "Ana" });

  const response = await browser.submit("save-profile", fields);

  expect(response).toMatchObject({
    status: 400,
    data: { form: "save-profile", fieldErrors, values: fields },
  });
  expect((await browser.open()).data).toMatchObject({ user: { displayName: "Ana" } });
});

test("the longest name and photo link fit into the session", async () => {
  await using app = await startApp();
  const { browser } = await visit(app);

  const fields = {
    displayName: "名".repeat(80),
    photoURL: `https://a.example/${"x".repeat(482)}`,
  };
  await browser.submit("save-profile", fields);

  expect((await browser.open()).data).toMatchObject({ user: fields });
});

test("rejects an unknown form", async () => {
  await using app = await startApp();
  const { browser } = await visit(app);

  expect((await browser.submit("make-admin")).status).toBe(400);
});

test("shows the session's data while the provider is unavailable", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount({ displayName: "Ana" });
  const cookie = await signIn(app, person);
  const unavailable = app.withVariables({
    FIREBASE_AUTH_EMULATOR_HOST: "127.0.0.1:1",
  });

  const page = await unavailable.send(loader, "/profile", { cookie });
  const response = await unavailable.send(action, "/profile", {
    cookie,
    form: { intent: "save-profile", displayName: "Ana Reyes" },
  });

  expect(page.data).toMatchObject({ user: { displayName: "Ana" }, security: null });
  expect(response).toMatchObject({ status: 503, data: { values: { displayName: "Ana Reyes" } } });
});

test.each(PROFILE_FORMS)(
  "%s changes nothing for a user who signed in from another tab",
  async (intent) => {
    await using app = await startApp();
    const { localId: uid } = await app.firebase.addAccount();
    const { browser } = await visit(app, { displayName: "Tomas" });

    const response = await browser.submit(intent, { uid, displayName: "Ana" });

    expect(response).toMatchObject({
      status: 401,
      data: { form: intent, banner: { message: "Someone else is signed in here now." } },
    });
    expect((await browser.open()).data).toMatchObject({ user: { displayName: "Tomas" } });
  },
);

const forms = [
  "save-profile",
  "send-confirmation",
  "change-password",
  "send-password-link",
  "unlink-google",
  "sign-out-everywhere",
  "delete-account",
];

test.each(forms)(
  "%s changes nothing when the provider does not respond within 30 s",
  async (intent) => {
    await using app = await startApp();
    const { person, browser } = await visit(app, { displayName: "Ana" });
    const originalFetch = globalThis.fetch;
    // The provider's requests time out, but the session stays valid.
    vi.stubGlobal("fetch", (input: URL | string, init?: RequestInit) =>
      String(input).includes("identitytoolkit")
        ? Promise.reject(new DOMException("", "TimeoutError"))
        : originalFetch(input, init),
    );
    const fields = {
      displayName: "Ana Reyes",
      email: person.email,
      currentPassword: person.password,
      newPassword: "another horse",
      messages: "delete",
    };
    const response = await browser.submit(intent, fields);
    vi.unstubAllGlobals();

    expect(response).toMatchObject({
      status: 503,
      data: {
        form: intent,
        banner: { hint: "We can't reach the sign-in service. Nothing was lost; try again." },
        values: { displayName: "Ana Reyes", email: person.email },
      },
    });
    expect(JSON.stringify(response.data)).not.toContain("horse");
    expect((await browser.open()).data).toMatchObject({ user: { displayName: "Ana" } });
    expect(await signIn(app, person)).toContain("__session=");
  },
);
