import { renderToString } from "react-dom/server";
import { expect, test, vi } from "vitest";

import { formatQuote } from "#app/chat/quotes/quote.ts";
import { createHtmlCache } from "#app/http/html-cache.server.ts";
import { getPageValues } from "#app/http/request-record.server.ts";
import { CachedHtml, HtmlCacheContext } from "#app/ui/cached-html.tsx";
import { toMessageForm } from "#tests/support/message-form.ts";
import type { TestAccount } from "#tests/support/firebase.ts";
import { fillRoom } from "#tests/support/fill-room.ts";
import type { PlainBrowser } from "#tests/support/plain-requests.ts";
import { startPlainBrowser } from "#tests/support/plain-browser.ts";
import { publishStory } from "#tests/support/stories.ts";

// As in production, where cached HTML is used. In other tests everything is rendered, and an error is thrown when the
// cached HTML differs.
vi.hoisted(() => void vi.stubEnv("MODE", "production"));

/** The last page as React renders it without the cache. */
let uncached = "";

/** The status of the last page, before anything around Remix can replace it. */
let status = 0;

vi.mock(import("#app/entry.server.tsx"), async (load) => {
  const entry = await load();
  const { Page } = entry;
  return {
    ...entry,
    // Remix reads this name, and Vitest throws when a mock lacks it.
    streamTimeout: undefined,
    default: async (request, remixStatus, headers, remixContext, context) => {
      const { serverHandoffStream: _, ...pageContext } = remixContext;
      const { nonce = "" } = getPageValues(context);
      uncached = renderToString(
        <Page
          remixContext={pageContext}
          context={context}
          url={request.url}
          nonce={nonce}
          htmlCache={null}
        />,
      );
      const page = await entry.default(request, remixStatus, headers, remixContext, context);
      ({ status } = page);
      return page;
    },
  };
});

/** Renders lists of texts, and counts how often a text is rendered. */
function createPage() {
  const cache = createHtmlCache(1000, false);
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
  const cache = createHtmlCache(1000, false);
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
          </CachedHtml>
        </HtmlCacheContext.Provider>,
      ),
    );
  };

  for (const outer of ["one", "two", "one"]) {
    expect(render(outer)).toBe(`<div>${outer}<li><i>inner</i></li></div>`);
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

test("when entries are verified, fails if an element depends on a value that it does not name", () => {
  const cache = createHtmlCache(1000, true);
  const render = (text: string) => {
    const page = cache.startPage();
    const element = (
      <CachedHtml as="li" dependsOn={["the same"]}>
        {text}
      </CachedHtml>
    );
    return page.finish(
      renderToString(
        <HtmlCacheContext.Provider value={page.cache}>{element}</HtmlCacheContext.Provider>,
      ),
    );
  };

  expect(render("one")).toBe("<li>one</li>");
  expect(render("one")).toBe("<li>one</li>");
  expect(() => render("two")).toThrow(/does not depend on its key alone/);
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
        const { html } = await person.get(path);
        const end = "<!DOCTYPE html>".length + uncached.length;
        expect(html.slice(0, end)).toBe(`<!DOCTYPE html>${uncached}`);
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
  await using app = await startPlainBrowser();
  const { handle } = app;
  const first = await handle(new Request("http://localhost/home"));
  expect(status).toBe(200);

  const asked = { "If-None-Match": first.headers.get("ETag") ?? "" };
  const again = await handle(new Request("http://localhost/home", { headers: asked }));

  expect(status).toBe(304);
  expect(again.status).toBe(304);
  const { status: otherStatus } = await handle(
    new Request("http://localhost/home?type=book", { headers: asked }),
  );
  expect(otherStatus).toBe(200);
});

async function signInAs(
  browser: PlainBrowser,
  { email, password }: Pick<TestAccount, "email" | "password">,
): Promise<PlainBrowser> {
  await browser.post("/login", { email, password });
  return browser;
}
