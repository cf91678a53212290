import { renderToString } from "react-dom/server";
import { expect, test, vi } from "vitest";

import { toMessageForm } from "#app/chat/post-message.ts";
import { formatQuote } from "#app/chat/quotes/quote.ts";
import { createHtmlCache } from "#app/http/html-cache.server.ts";
import { CachedHtml, HtmlCacheContext } from "#app/ui/server-html.tsx";
import { createAppHandler } from "#tests/support/app-handler.ts";
import type { TestAccount } from "#tests/support/firebase.ts";
import { fillRoom } from "#tests/support/fill-room.ts";
import type { PlainBrowser } from "#tests/support/plain-requests.ts";
import { startPlainBrowser } from "#tests/support/plain-browser.ts";
import { startApp } from "#tests/support/routes.ts";
import { publishStory } from "#tests/support/stories.ts";

/** Renders lists of texts, and counts how often a text is rendered. */
function createPage() {
  const cache = createHtmlCache(1000);
  const onRender = vi.fn();
  function Text({ text }: { text: string }) {
    onRender();
    return <b>{text}</b>;
  }
  return {
    onRender,
    render(...texts: string[]) {
      const page = cache.startPage();
      const list = texts.map((text) => (
        <CachedHtml key={text} as="li" dependsOn={[text]}>
          <Text text={text} />
        </CachedHtml>
      ));
      return page.finish(
        renderToString(
          <HtmlCacheContext.Provider value={page.cache}>{list}</HtmlCacheContext.Provider>,
        ),
      );
    },
  };
}

test("renders an element only once for the same values", () => {
  const page = createPage();

  expect(page.render("one", "two")).toBe("<li><b>one</b></li><li><b>two</b></li>");
  expect(page.render("two", "three", "one")).toBe(
    "<li><b>two</b></li><li><b>three</b></li><li><b>one</b></li>",
  );
  expect(page.onRender).toHaveBeenCalledTimes(3);
});

test("stores an element inside another one separately", () => {
  const cache = createHtmlCache(1000);
  const render = (outer: string) => {
    const page = cache.startPage();
    return page.finish(
      renderToString(
        <HtmlCacheContext.Provider value={page.cache}>
          <CachedHtml as="div" dependsOn={[outer]}>
            {outer}
            <CachedHtml as="li" dependsOn={["inner"]}>
              <i>inner</i>
            </CachedHtml>
            {outer}
          </CachedHtml>
        </HtmlCacheContext.Provider>,
      ),
    );
  };

  for (const outer of ["one", "two", "one"]) {
    expect(render(outer)).toBe(`<div>${outer}<li><i>inner</i></li>${outer}</div>`);
  }
});

test("deletes the least recently used HTML once the cache is full", () => {
  // Each entry has a key and HTML of about 600 characters.
  const page = createPage();
  const one = "1".repeat(290);
  const two = "2".repeat(290);

  page.render(one);
  page.render(two);
  page.render(two);
  expect(page.onRender).toHaveBeenCalledTimes(2);
  page.render(one);

  expect(page.onRender).toHaveBeenCalledTimes(3);
});

test("pages are the same for everyone as without the cache", async () => {
  await using app = await startPlainBrowser();
  const ana = await app.firebase.addAccount({ displayName: "Ana <b>" });
  const ben = await app.firebase.addAccount({ displayName: "Ben" });
  const story = { id: "salt-0123456789", title: "Salt & <i>Sand</i>", uid: ana.localId };
  await publishStory(app.firebase.hosts, { ...story, text: "One.\n\nTwo.\n\nThree." });
  const visitor = app.another();
  const people = [await signInAs(app, ana), await signInAs(app.another(), ben), visitor];
  const { html: read } = await visitor.get(`/read/${story.id}`);
  const [first = "", , last = ""] = [...read.matchAll(/ id="(p-[^"]+)"/g)].map(([, id]) => id);
  await fillRoom(app.firebase, ana, 12, [
    "Hello <script>alert(1)</script> & $& $1",
    "https://example.com/?a=1&b=2",
    "👍",
    formatQuote({ words: "Three.", path: `/read/${story.id}#${last}` }),
  ]);
  const steps = [
    () => visitor.post("/reading-position", { story: story.id, paragraph: first }),
    () => people[1]?.post("/reading-position", { story: story.id, paragraph: last }),
    () => visitor.post("/saved", { intent: "save", story: story.id, returnTo: "/home" }),
    () => people[1]?.post("/following", { intent: "follow", writer: ana.localId, returnTo: "/" }),
    () => people[1]?.post("/home", toMessageForm({ id: "m".repeat(20), text: "Hello back" })),
  ];

  for (const step of [...steps, undefined]) {
    for (const person of people) {
      for (const path of [
        "/home",
        "/home?from=mail",
        "/home?q=salt",
        `/home?writer=${ana.localId}`,
        "/read/1",
      ]) {
        // Without the cache too: see `handleVerified`.
        const { status } = await person.get(path);
        expect(status).toBe(200);
      }
    }
    await step?.();
  }
  const { html } = await visitor.get("/home");
  expect(html).toContain("Wrote about a later part.");
  expect(html).toMatch(/aria-pressed="true"[^>]*aria-label="Save for later: Salt/);
  expect(html).toContain("Hello back");
  // Renders 90 pages twice.
}, 120_000);

test("a page that the browser has is not rendered", async () => {
  await using app = await startApp();
  const statuses: number[] = [];
  const handle = await createAppHandler(app.env, {
    onRespond: ({ status }) => void statuses.push(status),
  });
  const first = await handle(new Request("http://localhost/home"));
  const headers = { "If-None-Match": first.headers.get("ETag") ?? "" };

  await handle(new Request("http://localhost/home", { headers }));
  await handle(new Request("http://localhost/home?type=book", { headers }));

  expect(statuses).toEqual([200, 304, 200]);
});

async function signInAs(
  browser: PlainBrowser,
  { email, password }: Pick<TestAccount, "email" | "password">,
): Promise<PlainBrowser> {
  await browser.post("/login", { email, password });
  return browser;
}
