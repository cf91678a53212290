import { afterEach, expect, test, vi } from "vitest";

import { postMessage } from "#app/chat/post-message.ts";

afterEach(() => vi.unstubAllGlobals());

test.each([
  ["a proxy's error page", () => new Response("<h1>Bad gateway</h1>", { status: 502 })],
  ["a page with status 200", () => new Response("<h1>Welcome</h1>", { status: 200 })],
  ["unexpected JSON", () => Response.json({ status: "ok" })],
  ["a timeout", () => Promise.reject(new DOMException("Timed out", "TimeoutError"))],
])("reports %s as an unavailable room", async (_what, respond) => {
  vi.stubGlobal("fetch", async () => respond());

  expect(await postMessage({ id: "one", text: "Do not lose me" })).toMatchObject({
    reason: "unavailable",
    text: "Do not lose me",
    hint: "We can't reach the room right now. Your messages wait here and are sent automatically.",
  });
});

test("names the message that it replies to", async () => {
  const fetch = vi.fn<typeof globalThis.fetch>(async () =>
    Response.json({ status: "sent", id: "two" }),
  );
  vi.stubGlobal("fetch", fetch);

  await postMessage({ id: "two", text: "> Ana: A\nB", replyTo: "one" });

  const body = await new Response(fetch.mock.calls[0]?.[1]?.body).text();
  expect(body).toContain("messageReplyTo=one");
});

test("reports a network error as a missing connection", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));

  expect(await postMessage({ id: "one", text: "A" })).toMatchObject({
    hint: "No connection. Your messages wait here and are sent automatically.",
  });
});
