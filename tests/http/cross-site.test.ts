import { expect, test } from "vitest";

import { onRequest } from "../../functions/_middleware.ts";

const reached = () => Promise.resolve(new Response("reached"));

function send(method: string, headers: Record<string, string>) {
  const request = new Request("https://inkglade.example/logout", { method, headers });
  return onRequest({ request, next: reached });
}

test.each([
  ["another site", { Origin: "https://evil.example" }],
  ["another scheme", { Origin: "http://inkglade.example" }],
  ["another port", { Origin: "https://inkglade.example:8443" }],
  ["a subdomain", { Origin: "https://blog.inkglade.example" }],
  ["an opaque origin", { Origin: "null" }],
  ["an opaque origin of another site", { Origin: "null", "Sec-Fetch-Site": "cross-site" }],
  ["the same site, but another origin", { "Sec-Fetch-Site": "same-site" }],
  ["an invalid origin", { Origin: "nonsense" }],
  ["an unknown origin", {}],
])("a post from %s is rejected with a page that says what to do", async (_origin, headers) => {
  for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
    const response = await send(method, headers);

    expect(response.status).toBe(403);
    expect(await response.text()).toContain("reload the page and send it again");
  }
});

test.each([
  ["our own origin", { Origin: "https://inkglade.example" }],
  [
    "our own page in a browser that hides origins",
    { Origin: "null", "Sec-Fetch-Site": "same-origin" },
  ],
  ["our own page in a browser that sends none", { "Sec-Fetch-Site": "same-origin" }],
])("a post from %s is accepted", async (_origin, headers) => {
  expect(await (await send("POST", headers)).text()).toBe("reached");
});

test("a GET from any origin is accepted", async () => {
  const response = await send("GET", { Origin: "https://evil.example" });

  expect(await response.text()).toBe("reached");
});
