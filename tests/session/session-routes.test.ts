import { expect, test } from "vitest";

import { toMessageForm } from "#app/chat/post-message.ts";
import { createDocumentId } from "#app/firebase/document-id.ts";
import { loader as rootLoader } from "#app/root.tsx";
import { action as create } from "#app/routes/create.tsx";
import { action as home } from "#app/routes/home.tsx";
import { loader as login } from "#app/routes/login.tsx";
import { action as profile, loader as profilePage } from "#app/routes/profile.tsx";
import { action as read } from "#app/routes/read.$id.tsx";
import { action as fromScript } from "#app/routes/room-messages.ts";
import { signIn, startApp, toCookieHeader } from "#tests/support/routes.ts";

const ends = ["deleted", "disabled", "revoked"] as const;
const actions = [
  ["/home", home],
  ["/create", create],
  ["/read/a-book", read],
  ["/rooms/general/messages", fromScript],
] as const;

test.each(ends.flatMap((how) => actions.map(([path, action]) => ({ how, path, action }))))(
  "a user whose account is $how is signed out by a post to $path, and nothing is sent",
  async ({ how, path, action }) => {
    await using app = await startApp();
    const person = await app.firebase.addAccount();
    const cookie = await signIn(app, person);
    await app.firebase.endAccount(person, how);

    const input = { id: createDocumentId(), text: "Do not lose me" };
    const response = await app.send(action, path, { form: toMessageForm(input), cookie });

    expect(response.status).toBe(401);
    expect(response.headers.get("Set-Cookie")).toMatch(/^__session=; Max-Age=0/);
    const body: unknown = response instanceof Response ? await response.json() : response.data;
    expect(body).toMatchObject({ ...input, message: "Not authenticated" });
  },
);

test.each(ends)("a user with a %s account sees the reason on Sign In", async (how) => {
  await using app = await startApp();
  const person = await app.firebase.addAccount();
  const cookie = await signIn(app, person);
  await app.firebase.endAccount(person, how);

  const form = { intent: "save-profile", displayName: "Ana" };
  const { status, headers } = await app.send(profile, "/profile", { form, cookie });

  expect([status, headers.get("Location")]).toEqual([303, "/login"]);
  const { data } = await app.send(login, "/login", { cookie: toCookieHeader(headers) });
  expect(data).toMatchObject({
    flashText: {
      message: "You were signed out for your security. Sign in again; your text is safe.",
    },
  });
});

test("a visitor who never signed in sees no reason", async () => {
  await using app = await startApp();

  const { headers } = await app.send(profilePage, "/profile");

  expect(headers.get("Location")).toBe("/login");
  expect(headers.get("Set-Cookie") ?? "").not.toContain("flash");
});

test("the page after a post with an ended session is signed out", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount();
  const cookie = await signIn(app, person);
  await app.firebase.endAccount(person, "deleted");

  // One request runs its action, then the page's loaders.
  const request = new Request("http://localhost/home", {
    method: "POST",
    headers: { Cookie: cookie },
    body: new URLSearchParams(toMessageForm({ id: createDocumentId(), text: "Hello" })),
  });
  const context = app.contextFor(request);
  await home({ request, params: {}, context });
  const page = await rootLoader({
    request: new Request(request.url, { headers: request.headers }),
    params: {},
    context,
  });

  expect(page).toMatchObject({ data: { user: null } });
});

test("users with a valid token can post while the provider is unavailable", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const env = { ...app.env, FIREBASE_AUTH_EMULATOR_HOST: "127.0.0.1:1" };
  const form = new URLSearchParams(toMessageForm({ id: createDocumentId(), text: "Hello" }));
  const request = new Request("http://localhost/rooms/general/messages", {
    method: "POST",
    headers: { Cookie: cookie },
    body: form,
  });

  const response = await fromScript({ request, params: {}, context: { cloudflare: { env } } });

  expect(await response.json()).toMatchObject({ status: "sent" });
});
