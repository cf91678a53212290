import { afterEach, expect, test, vi } from "vitest";

import { toMessageForm } from "#app/chat/post-message.ts";
import { createAppHandler } from "#tests/support/app-handler.ts";
import { fillRoom } from "#tests/support/fill-room.ts";
import { createMemoryCache } from "#tests/support/memory-cache.ts";
import { startApp, toCookieHeader, type TestApp } from "#tests/support/routes.ts";

afterEach(() => {
  vi.useRealTimers();
});

const ORIGIN = "https://inkglade.example";

/** Starts an isolate of the app, with a user who is signed in. */
async function startIsolate(app: TestApp) {
  const { cache } = createMemoryCache();
  const handle = await createAppHandler(app.env, { cache });
  async function send(path: string, cookie: string, form?: Record<string, string>) {
    const headers = { Accept: "text/html", Cookie: cookie, Origin: ORIGIN };
    const post = { method: "POST", body: new URLSearchParams(form) };
    return handle(new Request(ORIGIN + path, { headers, ...(form && post) }));
  }
  return {
    send,
    /** Whether /home shows the message. */
    async shows(text: string, cookie: string): Promise<boolean> {
      const html = await (await send("/home", cookie)).text();
      return html.includes(text);
    },
  };
}

async function startRoom() {
  const app = await startApp();
  const [ana, tomas] = [await app.firebase.addAccount(), await app.firebase.addAccount()];
  const [isolate, other] = [await startIsolate(app), await startIsolate(app)];
  const signIn = async ({ email, password }: typeof ana) =>
    toCookieHeader((await isolate.send("/login", "", { email, password })).headers);
  return {
    isolate,
    other,
    ana: await signIn(ana),
    tomas: await signIn(tomas),
    addMessage: (text: string) => fillRoom(app.firebase, ana, 1, [text]),
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

test("pages of the next two seconds show the same messages without reading them again", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  await using room = await startRoom();
  const { isolate, ana, tomas } = room;
  expect(await isolate.shows("Hello", ana)).toBe(false);
  await room.addMessage("Hello");

  expect(await isolate.shows("Hello", tomas)).toBe(false);
  vi.setSystemTime(Date.now() + 2000);
  expect(await isolate.shows("Hello", tomas)).toBe(true);
});

test("a user sees their own message at once in any isolate, even when another one has stored it", async () => {
  await using room = await startRoom();
  const { isolate, other, ana } = room;
  expect(await other.shows("Hello", ana)).toBe(false);

  const { headers } = await isolate.send(
    "/home",
    ana,
    toMessageForm({ id: "m".repeat(20), text: "Hello" }),
  );

  const cookie = `${ana}; ${toCookieHeader(headers)}`;
  expect(await isolate.shows("Hello", cookie)).toBe(true);
  expect(await other.shows("Hello", cookie)).toBe(true);
});

test("a user who has just posted shares messages that were read since", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-22T14:05:00Z") });
  await using room = await startRoom();
  const { isolate, ana, tomas } = room;
  const form = toMessageForm({ id: "m".repeat(20), text: "Hello" });
  const { headers } = await isolate.send("/home", ana, form);
  const cookie = `${ana}; ${toCookieHeader(headers)}`;
  vi.setSystemTime(Date.now() + 1500);
  expect(await isolate.shows("Hello", tomas)).toBe(true);
  await room.addMessage("Later");

  expect(await isolate.shows("Hello", cookie)).toBe(true);
  expect(await isolate.shows("Later", cookie)).toBe(false);
  vi.setSystemTime(Date.now() + 2500);
  expect(await isolate.shows("Later", cookie)).toBe(true);
});
