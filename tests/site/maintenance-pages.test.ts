import { expect, test } from "vitest";

import { createAppHandler } from "#tests/support/app-handler.ts";

const ORIGIN = "https://inkglade.example";

const PAGES = ["/", "/home", "/login", "/register", "/profile", "/create", "/read/a-book"];
const FORM_TARGETS = ["/logout", "/theme", "/consent", "/firebase-token", "/no/such/page"];

test("during maintenance, every request gets a 503 with the same page", async () => {
  const handle = await createAppHandler({ MAINTENANCE: "1" });
  const pages = new Set<string>();
  for (const path of [...PAGES, ...FORM_TARGETS]) {
    const data = path === "/" ? "/_root.data" : `${path}.data`;
    for (const method of ["GET", "HEAD", "POST"]) {
      for (const target of [path, `${path}?x=1`, data]) {
        const headers = { Origin: ORIGIN, Accept: "text/html" };
        const response = await handle(new Request(ORIGIN + target, { method, headers }));
        expect(response.status, `${method} ${target}`).toBe(503);
        expect(response.headers.get("Retry-After")).toBe("600");
        expect(response.headers.get("Cache-Control")).toBe("no-store");
        const body = await response.text();
        if (method !== "HEAD" && target !== data) pages.add(body);
      }
    }
  }

  expect(pages.size).toBe(1);
  expect([...pages].join()).toContain("We&#x27;ll be online soon!");
  expect([...pages].join()).not.toMatch(/<(?:a|button|header|script)[ >]/);
});
