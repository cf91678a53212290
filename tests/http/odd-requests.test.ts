import { expect, test } from "vitest";

import { toMessageForm } from "#app/chat/post-message.ts";
import { createSealedCookie } from "#app/http/cookie.server.ts";
import { loader as rootLoader } from "#app/root.tsx";
import { action as google } from "#app/routes/auth.google.ts";
import { loader as create } from "#app/routes/create.tsx";
import { action as home, loader as homeLoader } from "#app/routes/home.tsx";
import { action as logout } from "#app/routes/logout.ts";
import { loader as read } from "#app/routes/read.$id.tsx";
import { loader as readEpub } from "#app/routes/read.$id[.]epub.ts";
import { loader as readMarkdown } from "#app/routes/read.$id[.]md.ts";
import { loader as readPicture } from "#app/routes/read.$id[.]png.ts";
import { loader as readText } from "#app/routes/read.$id[.]txt.ts";
import { loader as report } from "#app/routes/read.$id.report.tsx";
import { action as roomMessages } from "#app/routes/room-messages.ts";
import { loader as storyStatus } from "#app/routes/story-status.ts";
import { createAppHandler } from "#tests/support/app-handler.ts";
import { signIn, startApp, toCookieHeader, type Handler } from "#tests/support/routes.ts";
import { onRequest } from "../../functions/_middleware.ts";

const ORIGIN = "https://inkglade.example";

/** The headers of an img element. */
const IMAGE = { Accept: "image/avif,image/webp,*/*;q=0.8", "Sec-Fetch-Dest": "image" };

/** Sends a request through the middleware, and returns the request that reaches the app. */
async function pass(path: string, init: RequestInit): Promise<Request> {
  const request = new Request(ORIGIN + path, init);
  let passed = request;
  const next = async (changed = request) => {
    passed = changed;
    return new Response("reached");
  };
  expect(await (await onRequest({ request, next })).text()).toBe("reached");
  return passed;
}

test.each(["POST", "PUT", "HEAD", "GET"])(
  "a %s reaches the app without its Origin and X-Forwarded-Host headers",
  async (method) => {
    const origins: Record<string, string>[] = [
      { Origin: ORIGIN, "X-Forwarded-Host": "evil.example" },
      { Origin: "null", "Sec-Fetch-Site": "same-origin" },
    ];
    for (const headers of origins) {
      const body = method === "POST" ? new URLSearchParams({ text: "Hello" }) : null;
      const passed = await pass("/home?q=rain", { method, headers, body });

      expect([passed.method, passed.url]).toEqual([method, `${ORIGIN}/home?q=rain`]);
      expect([passed.headers.get("Origin"), passed.headers.get("X-Forwarded-Host")]).toEqual([
        null,
        null,
      ]);
      if (body) expect((await passed.formData()).get("text")).toBe("Hello");
    }
  },
);

test("removes the parameter with which Remix used to request data", async () => {
  const headers = { Origin: ORIGIN };
  const passed = await pass("/home?_data=routes%2Fhome&q=rain", { method: "POST", headers });

  expect(passed.url).toBe(`${ORIGIN}/home?q=rain`);
});

test.each(["/login?returnTo=/read/x&reason=report", "/profile/data", "/pictures/new", "/home"])(
  "as a picture, %s is an empty 404 without cookies",
  async (path) => {
    await using app = await startApp();
    const handle = await createAppHandler(app.env);

    const response = await handle(new Request(ORIGIN + path, { headers: IMAGE }));

    expect([response.status, await response.text()]).toEqual([404, ""]);
    expect(response.headers.getSetCookie()).toEqual([]);
  },
);

test("an img element gets the picture of a story, and an uploaded one", async () => {
  await using app = await startApp();
  const handle = await createAppHandler(app.env);
  const path = "/read/the-lamplighters-orchard.png";

  const response = await handle(new Request(ORIGIN + path, { headers: IMAGE }));

  expect([response.status, response.headers.get("Content-Type")]).toEqual([200, "image/png"]);
  await pass(`/pictures/ana/${"0".repeat(32)}.webp`, { headers: IMAGE });
});

test.each([
  ["is too long for a cookie", `/${"a".repeat(2800)}`, "/home"],
  ["is too long when it is percent-encoded", `/${"\u6F22".repeat(900)}`, "/home"],
  ["is long", `/${"a".repeat(1900)}`, `/${"a".repeat(1900)}`],
  ["is not ASCII", "/home?q=\u6F22", "/home?q=%E6%BC%A2"],
  ["has a hash that is no valid escape", "/home#100%", "/home#100%25"],
  ["normalizes to another site", "/..//evil.example", "/home"],
])("redirects safely to a returnTo that %s", async (_what, returnTo, expected) => {
  await using app = await startApp();

  const response = await app.send(logout, "/logout", { form: { returnTo } });
  expect([response.status, response.headers.get("Location")]).toEqual([303, expected]);

  const toGoogle = await app.send(google, "/auth/google", { form: { screen: "room", returnTo } });
  expect(toGoogle.headers.get("Location")).toContain("/o/oauth2/v2/auth?");
});

test("a message with an id that Firestore would reject is rejected, and gets a new id", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());

  for (const id of [`__${"x".repeat(20)}__`, "_".repeat(20)]) {
    const form = toMessageForm({ id, text: "Hello" });
    const page = await app.send(home, "/home", { form, cookie });
    expect(page).toMatchObject({ status: 400, data: { text: "Hello" } });
    expect(page.data).not.toMatchObject({ id });
    expect((await app.send(roomMessages, "/rooms/general/messages", { form, cookie })).status).toBe(
      400,
    );
  }
});

test("an address that is too long for a story's leads to the page of an unknown story", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const loaders: [path: (id: string) => string, loader: Handler][] = [
    [(id) => `/read/${id}`, read],
    [(id) => `/read/${id}?go=next`, read],
    [(id) => `/read/${id}.md`, readMarkdown],
    [(id) => `/read/${id}.txt`, readText],
    [(id) => `/read/${id}.epub`, readEpub],
    [(id) => `/read/${id}.png`, readPicture],
    [(id) => `/read/${id}/report`, report],
    [(id) => `/story-status?story=${id}`, storyStatus],
  ];
  const long = `${"a".repeat(1600)}-0123456789`;

  for (const [toPath, loader] of loaders) {
    const sendAs = (id: string) => app.send(loader, toPath(id), { params: { id }, cookie });
    expect((await sendAs(long)).status, toPath("")).toBe((await sendAs("no-such-story")).status);
  }
  const opened = await app.send(read, `/read/${long}`, { params: { id: long }, cookie });
  expect(opened).toMatchObject({ status: 200, data: { story: null, isUnavailable: false } });
});

test.each([
  ["an invalid token", "garbage"],
  ["an unreadable token", "a.b.c"],
  ["a token without a user", `e30.${btoa('{"sub":""}')}.x`],
])("a session with %s counts as signed out and is removed", async (_what, idToken) => {
  await using app = await startApp();
  const sealed = createSealedCookie(app.env, "__session", { maxAgeSeconds: 60, now: Date.now });
  const header = await sealed.seal(new Request("http://localhost"), {
    idToken,
    refreshToken: "x",
    expiresAt: Date.now() + 3_600_000,
  });
  const cookie = header.split(";")[0] ?? "";

  const response = await app.send(rootLoader, "/home", { cookie });
  expect(response).toMatchObject({ status: 200, data: { user: null } });
  expect(response.headers.get("Set-Cookie")).toMatch(/^__session=; Max-Age=0/);
  expect(await app.send(homeLoader, "/home", { cookie })).toMatchObject({ status: 200 });
  expect(await app.send(logout, "/logout", { form: {}, cookie })).toMatchObject({ status: 303 });
});

test("a page to return to that is too long for a cookie is stored without its query", async () => {
  await using app = await startApp();

  const { headers } = await app.send(create, `/create?${"x".repeat(5000)}`);

  const [, value = ""] = toCookieHeader(headers).split("return-to=");
  expect(JSON.parse(decodeURIComponent(value))).toEqual({
    path: "/create",
    isOffered: true,
    reason: "write",
  });
});
