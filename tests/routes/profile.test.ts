import { expect, test, vi } from "vitest";

import { loader as rootLoader } from "#app/root.tsx";
import { action as post } from "#app/routes/create.tsx";
import { loader as homeLoader } from "#app/routes/home.tsx";
import { action as register } from "#app/routes/register.tsx";
import { action, loader } from "#app/routes/profile.tsx";
import { createMessageId } from "#app/schemas/message.ts";
import type { NewAccount } from "#tests/support/firebase.ts";
import { signInByGoogle } from "#tests/support/google-person.ts";
import { readMails } from "#tests/support/mail.ts";
import {
  signIn,
  startApp,
  toCookieHeader,
  type SendOptions,
  type TestApp,
} from "#tests/support/routes.ts";

const PHOTO = "https://example.com/ana.png";

const person = { email: "ana@example.com", password: "correct horse" };

/** Somebody at their profile, in a browser that keeps its cookies. */
async function visit(app: TestApp, account?: NewAccount) {
  const person = await app.firebase.addAccount(account);
  return { person, browser: openBrowser(app, await signIn(app, person)) };
}

function openBrowser(app: TestApp, cookie: string) {
  const cookies = new Map(cookie.split("; ").map((pair) => splitOnce(pair)));

  async function send(handler: Parameters<TestApp["send"]>[0], path: string, options: SendOptions) {
    const header = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const outcome = await app.send(handler, path, { ...options, cookie: header });
    for (const [name, value] of outcome.headers.getSetCookie().map((line) => splitOnce(line))) {
      if (value.startsWith(";")) cookies.delete(name);
      else cookies.set(name, value.split(";")[0] ?? "");
    }
    return outcome;
  }

  return {
    open: (path = "/profile") => send(loader, path, {}),
    submit: (intent: string, fields: Record<string, string> = {}) =>
      send(action, "/profile", { form: { intent, ...fields } }),
    say: (text: string) => send(post, "/create", { form: { id: createMessageId(), text } }),
  };
}

function splitOnce(pair: string): [string, string] {
  const at = pair.indexOf("=");
  return [pair.slice(0, at), pair.slice(at + 1)];
}

async function listMessages(app: TestApp) {
  const { data } = await app.send(homeLoader, "/home");
  if (typeof data !== "object" || data === null || !("room" in data)) throw new Error("No room");
  return data.room;
}

test("without a session the profile is closed", async () => {
  await using app = await startApp();

  const page = await app.send(loader, "/profile");
  const answer = await app.send(action, "/profile", { form: { intent: "save-profile" } });

  expect([page.status, page.headers.get("Location")]).toEqual([302, "/login"]);
  expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/login"]);
});

test("the profile tells of the account, and which part of it is shown", async () => {
  await using app = await startApp();
  const { person, browser } = await visit(app);

  expect((await browser.open()).data).toMatchObject({
    account: { email: person.email, displayName: null, photoURL: null },
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

test("a new name and photo are on the next message, and not on those before", async () => {
  await using app = await startApp();
  const { browser } = await visit(app);
  await browser.say("Before");

  const answer = await browser.submit("save-profile", {
    displayName: " Ana Reyes ",
    photoURL: PHOTO,
  });

  expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/profile?tab=name"]);
  expect((await browser.open()).data).toMatchObject({
    notice: "profile-saved",
    account: { displayName: "Ana Reyes", photoURL: PHOTO },
  });
  await browser.say("After");
  expect(await listMessages(app)).toMatchObject({
    messages: [
      { text: "Before", displayName: "Anonymous", photoURL: null },
      { text: "After", displayName: "Ana Reyes", photoURL: PHOTO },
    ],
  });
});

test("an empty name and photo take away what was there", async () => {
  await using app = await startApp();
  const { browser } = await visit(app, { displayName: "Ana", photoUrl: PHOTO });

  await browser.submit("save-profile", { displayName: "", photoURL: "" });

  expect((await browser.open()).data).toMatchObject({
    account: { displayName: null, photoURL: null },
  });
});

test.each([
  [
    "a long name",
    { displayName: "x".repeat(81) },
    { displayName: ["A name holds at most 80 characters"] },
  ],
  ["a name of two lines", { displayName: "A\nB" }, { displayName: ["A name is one line"] }],
  [
    "a plain http address",
    { photoURL: "http://a.example/b" },
    { photoURL: ["A photo's address begins with https://"] },
  ],
  [
    "a script",
    { photoURL: "javascript:alert(1)" },
    { photoURL: ["A photo's address begins with https://"] },
  ],
  [
    "a long address",
    { photoURL: `https://a.example/${"x".repeat(500)}` },
    { photoURL: ["This address is longer than 500 characters"] },
  ],
])("%s is refused, and kept", async (_what, fields, faults) => {
  await using app = await startApp();
  const { browser } = await visit(app, { displayName: "Ana" });

  const answer = await browser.submit("save-profile", fields);

  expect(answer).toMatchObject({
    status: 400,
    data: { form: "save-profile", faults, typed: fields },
  });
  expect((await browser.open()).data).toMatchObject({ account: { displayName: "Ana" } });
});

test("the longest name and photo address fit into the session", async () => {
  await using app = await startApp();
  const { browser } = await visit(app);

  const fields = {
    displayName: "名".repeat(80),
    photoURL: `https://a.example/${"x".repeat(482)}`,
  };
  await browser.submit("save-profile", fields);

  expect((await browser.open()).data).toMatchObject({ account: fields });
});

test("the confirmation is sent again, once a minute at most", async () => {
  await using app = await startApp();
  const { person, browser } = await visit(app);

  const sent = await browser.submit("send-confirmation");
  const again = await browser.submit("send-confirmation");

  expect([sent.status, sent.headers.get("Location")]).toEqual([303, "/profile"]);
  expect(again).toMatchObject({
    status: 429,
    data: {
      form: "send-confirmation",
      banner: {
        message: "A link is on its way already.",
        hint: expect.stringMatching(/^You can ask for another in (60|5\d) seconds\.$/),
      },
    },
  });
  expect(await readMails(app.firebase)).toMatchObject([
    { email: person.email, requestType: "VERIFY_EMAIL" },
  ]);
});

test.each(["send-confirmation", "send-password-link"])(
  "whoever throws the minute away is stopped at the sixth mail: %s",
  async (intent) => {
    await using app = await startApp();
    const { cookie } = await signInByGoogle(app);
    const send = () => app.send(action, "/profile", { cookie, form: { intent } });
    const answers = await Promise.all(Array.from({ length: 6 }, send));

    const statuses = answers.map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([303, 303, 303, 303, 303, 429]);
    expect(answers[statuses.indexOf(429)]).toMatchObject({
      data: { banner: { message: expect.stringContaining("auth/too-many-requests") } },
    });
  },
);

test("a registration whose mail failed begins no minute", async () => {
  await using app = await startApp();
  const askFor = globalThis.fetch;
  vi.stubGlobal("fetch", (input: URL | string, init?: RequestInit) =>
    String(input).includes("sendOobCode") ? Promise.reject(new TypeError()) : askFor(input, init),
  );
  const form = { ...person, confirmPassword: person.password };
  const { status, headers } = await app.send(register, "/register", { form });
  vi.unstubAllGlobals();
  expect(status).toBe(303);
  expect(await readMails(app.firebase)).toEqual([]);

  const answer = await openBrowser(app, toCookieHeader(headers)).submit("send-confirmation");

  expect(answer.status).toBe(303);
  expect(await readMails(app.firebase)).toMatchObject([{ email: person.email }]);
});

test.each(["change-password", "sign-out-everywhere", "delete-account"])(
  "%s is refused when the password is that of another account, which has the address now",
  async (intent) => {
    await using app = await startApp();
    const { person: ana, browser } = await visit(app);
    const tomas = await app.firebase.addAccount();
    const askFor = globalThis.fetch;
    vi.stubGlobal("fetch", (input: URL | string, init?: RequestInit) => {
      const isSignIn = String(input).includes("signInWithPassword");
      const { email, password } = tomas;
      const body = JSON.stringify({ email, password, returnSecureToken: true });
      return askFor(input, isSignIn ? { ...init, body } : init);
    });

    const answer = await browser.submit(intent, {
      currentPassword: ana.password,
      newPassword: "another horse",
      email: ana.email,
      messages: "delete",
    });
    vi.unstubAllGlobals();

    expect(answer).toMatchObject({
      status: 400,
      data: { banner: { message: expect.stringContaining("auth/user-mismatch") } },
    });
    expect(await signIn(app, ana)).toContain("__session=");
    expect(await signIn(app, tomas)).toContain("__session=");
  },
);

test("the mail that comes with the registration counts", async () => {
  await using app = await startApp();
  const form = {
    email: "Ana@example.com",
    password: "correct horse",
    confirmPassword: "correct horse",
  };
  const { headers } = await app.send(register, "/register", { form });
  const browser = openBrowser(app, toCookieHeader(headers));

  const answer = await browser.submit("send-confirmation");

  expect(answer.status).toBe(429);
});

test("a new password takes the old one, and ends every other session", async () => {
  await using app = await startApp();
  const { person, browser } = await visit(app);
  const elsewhere = openBrowser(app, await signIn(app, person));
  await nextSecond();

  const answer = await browser.submit("change-password", {
    currentPassword: person.password,
    newPassword: "another horse",
  });

  expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/profile?tab=security"]);
  expect((await browser.open()).data).toMatchObject({ notice: "password-changed" });
  expect(await signIn(app, { ...person, password: "another horse" })).toContain("__session=");
  expect(await signIn(app, person)).toBe("");
  await expectSignedOut(elsewhere);
});

test.each([
  [
    "a wrong current password",
    { currentPassword: "wrong horse", newPassword: "another horse" },
    { banner: { message: "Invalid password" } },
  ],
  [
    "no password at all",
    {},
    {
      faults: {
        currentPassword: ["Password is required"],
        newPassword: ["Password is required"],
      },
    },
  ],
  [
    "a short new password",
    { currentPassword: "correct horse", newPassword: "short" },
    { faults: { newPassword: ["Password must be at least 6 characters"] } },
  ],
])("%s changes nothing", async (_what, fields, reply) => {
  await using app = await startApp();
  const { person, browser } = await visit(app);

  const answer = await browser.submit("change-password", fields);

  expect(answer).toMatchObject({ status: 400, data: { form: "change-password", ...reply } });
  expect(JSON.stringify(answer.data)).not.toContain("horse");
  expect(await signIn(app, person)).toContain("__session=");
});

test("guessing the password at the profile is limited as at Sign In", async () => {
  await using app = await startApp();
  const { browser } = await visit(app);
  const guess = () => browser.submit("sign-out-everywhere", { currentPassword: "wrong horse" });
  for (let tries = 0; tries < 5; tries += 1) await guess();

  expect(await guess()).toMatchObject({
    status: 429,
    data: { banner: { message: expect.stringContaining("auth/too-many-requests") } },
  });
});

test("signing out everywhere leaves this session, with the same password", async () => {
  await using app = await startApp();
  const { person, browser } = await visit(app);
  const elsewhere = openBrowser(app, await signIn(app, person));
  await nextSecond();

  const answer = await browser.submit("sign-out-everywhere", { currentPassword: person.password });

  expect(answer.headers.get("Location")).toBe("/profile?tab=security");
  expect((await browser.open()).data).toMatchObject({ notice: "signed-out-elsewhere" });
  expect((await browser.say("Still here")).status).toBe(303);
  await expectSignedOut(elsewhere);
  expect(await signIn(app, person)).toContain("__session=");
});

test("the other browser is out on any page within a minute, and is not asked about more often than it has to be", async () => {
  await using app = await startApp();
  const { person, browser } = await visit(app);
  const cookie = await signIn(app, person);
  const look = async () => (await app.send(rootLoader, "/home", { cookie })).data;
  expect(await look()).toMatchObject({ account: { email: person.email } });
  await nextSecond();
  await browser.submit("sign-out-everywhere", { currentPassword: person.password });
  expect(await look()).toMatchObject({ account: { email: person.email } });

  vi.setSystemTime(Date.now() + 31_000);
  const later = await look();
  vi.useRealTimers();

  expect(later).toMatchObject({ account: null });
});

test("whoever came by Google is sent a link to a password", async () => {
  await using app = await startApp();
  const { email, cookie } = await signInByGoogle(app);
  const browser = openBrowser(app, cookie);

  expect((await browser.open()).data).toMatchObject({ security: { hasPassword: false } });
  const answer = await browser.submit("send-password-link");

  expect((await browser.open()).data).toMatchObject({ notice: "password-link-sent" });
  expect(answer.status).toBe(303);
  expect(await readMails(app.firebase)).toMatchObject([{ email, requestType: "PASSWORD_RESET" }]);
  expect((await browser.submit("send-password-link")).status).toBe(429);
});

test("an unknown form is refused", async () => {
  await using app = await startApp();
  const { browser } = await visit(app);

  expect((await browser.submit("make-admin")).status).toBe(400);
});

test("a provider that cannot be reached hides nothing of what the session knows", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount({ displayName: "Ana" });
  const cookie = await signIn(app, person);
  await using cut = await startApp({ FIREBASE_AUTH_EMULATOR_HOST: "127.0.0.1:1" });

  const page = await cut.send(loader, "/profile", { cookie });
  const answer = await cut.send(action, "/profile", {
    cookie,
    form: { intent: "save-profile", displayName: "Ana Reyes" },
  });

  expect(page.data).toMatchObject({ account: { displayName: "Ana" }, security: null });
  expect(answer).toMatchObject({ status: 503, data: { typed: { displayName: "Ana Reyes" } } });
});

/** Sessions end by the second: one that began in the second of a change outlives it. */
async function nextSecond() {
  const startedIn = Math.floor(Date.now() / 1000);
  await expect
    .poll(() => Math.floor(Date.now() / 1000), { timeout: 2000 })
    .toBeGreaterThan(startedIn);
}

async function expectSignedOut(browser: ReturnType<typeof openBrowser>) {
  const page = await browser.open();
  expect([page.status, page.headers.get("Location")]).toEqual([302, "/login"]);
}
