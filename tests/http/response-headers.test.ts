import { expect, test, vi } from "vitest";

import { SETTINGS_COOKIE } from "#app/reading/reading-data.ts";
import { POSITIONS_COOKIE } from "#app/stories/positions/position-cookie.ts";
import { expectConsoleError } from "#tests/support/console.ts";
import { onRequest } from "../../functions/_middleware.ts";

const RESPONSES: [string, () => Response][] = [
  ["a redirect", () => new Response(null, { status: 302, headers: { Location: "/home" } })],
  ["JSON", () => Response.json({ position: null })],
  [
    "a page's data",
    () => new Response("[]", { headers: { "Content-Type": "text/x-script; charset=utf-8" } }),
  ],
  ["a 401 in JSON", () => Response.json({}, { status: 401 })],
];

function ask(response: Response, init?: RequestInit, origin = "https://inkglade.example") {
  const request = new Request(`${origin}/reading-positions`, init);
  return onRequest({ request, next: () => Promise.resolve(response) });
}

test.each(RESPONSES)(
  "%s has headers that prevent running, framing and content sniffing",
  async (_what, make) => {
    const { headers } = await ask(make());

    expect(headers.get("Strict-Transport-Security")).toBe("max-age=31536000");
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(headers.get("Referrer-Policy")).toBe("strict-origin-when-cross-origin");
    expect(headers.get("Content-Security-Policy")?.split("; ")).toEqual([
      "default-src 'none'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
  },
);

test("a page that has not changed keeps the policy that the browser has stored with it", async () => {
  const { headers } = await ask(new Response(null, { status: 304 }));

  // A nonce other than the stored page's would block its scripts.
  expect(headers.has("Content-Security-Policy")).toBe(false);
  expect(headers.get("Cache-Control")).toBe("private, no-cache");
  expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
});

test.each(RESPONSES)("%s is private and revalidated each time", async (_what, make) => {
  const { headers } = await ask(make());

  expect(headers.get("Cache-Control")).toBe("private, no-cache");
});

test("a request whose handler throws gets a page with its id, which the error's log line has too", async () => {
  expectConsoleError();
  const request = new Request("https://inkglade.example/home");

  const response = await onRequest({ request, next: () => Promise.reject(new Error("no cache")) });

  const id = response.headers.get("X-Request-Id");
  expect(response.status).toBe(500);
  expect(await response.text()).toContain(`Error ID: ${id}`);
  expect(vi.mocked(console.error).mock.calls).toEqual([[`[${id}]`, new Error("no cache")]]);
});

test("keeps the headers that a route has set", async () => {
  const own = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "sandbox",
    "Referrer-Policy": "no-referrer",
  };

  const { headers } = await ask(new Response("a story", { headers: own }));

  for (const [name, value] of Object.entries(own)) expect(headers.get(name)).toBe(value);
});

test("sends no HSTS header over http", async () => {
  const { headers } = await ask(new Response(), {}, "http://127.0.0.1:8788");

  expect(headers.has("Strict-Transport-Security")).toBe(false);
});

test("a rejected cross-site form and the maintenance page have the same headers", async () => {
  const rejected = await ask(new Response(), { method: "POST" });
  const maintenance = await onRequest({
    request: new Request("https://inkglade.example/home"),
    env: { MAINTENANCE: "1" },
    next: () => Promise.resolve(new Response()),
  });

  expect([rejected.status, maintenance.status]).toEqual([403, 503]);
  for (const { headers } of [rejected, maintenance]) {
    expect(headers.get("Cache-Control")).toBe("no-store");
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(headers.get("Content-Security-Policy")).toContain("frame-ancestors 'none'");
    expect(headers.get("Strict-Transport-Security")).toBe("max-age=31536000");
  }
});

test("once a day, a document renews the cookies that scripts write, so that Safari keeps them", async () => {
  const places = `__Host-${POSITIONS_COOKIE.name}=%5B%5D`;
  const reading = `__Host-${SETTINGS_COOKIE.name}=size%3D21`;
  const headers = {
    "Sec-Fetch-Dest": "document",
    Cookie: `__Host-theme=dark; ${places}; ${reading}`,
  };
  const attributes = "Path=/; SameSite=Lax; Secure";
  const year = POSITIONS_COOKIE.maxAgeSeconds;
  expect(SETTINGS_COOKIE.maxAgeSeconds).toBe(year);

  for (const status of [200, 304]) {
    const page = await ask(new Response(null, { status }), { headers });
    expect(page.headers.getSetCookie()).toEqual([
      `${places}; Max-Age=${year}; ${attributes}`,
      `${reading}; Max-Age=${year}; ${attributes}`,
      `__Host-renewed=today; Max-Age=86400; HttpOnly; ${attributes}`,
    ]);
  }
});

test("renews no cookie twice a day, with a page's data, after a form or over a newer value", async () => {
  const places = "__Host-places=%5B%5D";
  const document = { "Sec-Fetch-Dest": "document" };
  const unchanged: RequestInit[] = [
    { headers: { ...document, Cookie: `${places}; __Host-renewed=today` } },
    { headers: { "Sec-Fetch-Dest": "empty", Cookie: places } },
    {
      headers: { ...document, Origin: "https://inkglade.example", Cookie: places },
      method: "POST",
    },
    { headers: { ...document, Cookie: "__Host-theme=dark" } },
  ];
  for (const init of unchanged) {
    expect((await ask(new Response(null), init)).headers.getSetCookie()).toEqual([]);
  }

  const newer = new Response(null, { headers: { "Set-Cookie": "__Host-places=; Max-Age=0" } });
  const { headers } = await ask(newer, { headers: { ...document, Cookie: places } });
  expect(headers.getSetCookie()).toEqual(["__Host-places=; Max-Age=0"]);
});
