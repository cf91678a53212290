import { runInNewContext } from "node:vm";

import { expect, test } from "vitest";

import { startApp } from "#tests/support/routes.ts";
import { publishStory } from "#tests/support/stories.ts";
import { createAppHandler } from "#tests/support/app-handler.ts";

const PLAIN = { id: "no-italics-0000000001", title: "No Italics", text: "A plain text." };

async function openPage(path: string) {
  await using app = await startApp();
  await publishStory(app.firebase.hosts, PLAIN);
  const handle = await createAppHandler(app.env);
  const response = await handle(new Request(`https://inkglade.example${path}`));
  return { headers: response.headers, html: await response.text() };
}

test("a page's Link header names the fonts of its first view, for Early Hints", async () => {
  const { headers } = await openPage("/login");

  const links = headers.get("Link")?.split(", ") ?? [];

  expect(links).toHaveLength(2);
  for (const name of ["figtree", "fraunces"]) {
    const link = links.find((other) => other.includes(name));
    expect(link).toMatch(/^<[^>]+\.woff2>; rel=preload; as=font; type="font\/woff2"; crossorigin$/);
  }
});

test("preloads the italic font only for texts that begin with italics", async () => {
  const { html: withItalics } = await openPage("/read/the-lamplighters-orchard");
  const { html: without } = await openPage(`/read/${PLAIN.id}`);

  const regular = /<link rel="preload" [^>]*literata-400\.woff2/;
  const italic = /<link rel="preload" [^>]*literata-400-italic\.woff2/;
  expect(withItalics).toMatch(regular);
  expect(withItalics).toMatch(italic);
  expect(without).toMatch(regular);
  expect(without).not.toMatch(italic);
});

test("the browser gets the addresses of all routes, not only those of its page", async () => {
  const { html } = await openPage("/login");

  const [, manifest = ""] = /window\.__remixManifest=(.*?);window\./.exec(html) ?? [];

  expect(JSON.parse(manifest)).toMatchObject({
    routes: { "routes/home": { path: "home" }, "routes/profile": { path: "profile" } },
  });
});

/** Runs the page's script that starts the others. */
async function startScripts({ isHidden = false, isOld = false } = {}) {
  const { html } = await openPage("/login");
  const [, nonce, code] =
    /<script nonce="([^"]+)">(window\.__remixContext=.*?)<\/script>/s.exec(html) ?? [];
  const fetched: string[] = [];
  const listeners = new Map<string, () => void>();
  const frames: (() => void)[] = [];
  const document = {
    hidden: isHidden,
    currentScript: { nonce },
    // As the script at the top of the page has left it.
    documentElement: { dataset: isOld ? {} : { scripting: "" } },
    querySelectorAll: () => [],
    head: {
      append: ({ href, type, nonce: own, textContent }: Record<string, string>) =>
        fetched.push(href ?? [type, own === nonce, textContent].join()),
    },
    createElement: () => ({}),
    addEventListener: (type: string, listener: () => void) => listeners.set(type, listener),
    removeEventListener: (type: string) => listeners.delete(type),
  };
  const page: Record<string, unknown> = {
    document,
    ReadableStream,
    TextEncoderStream,
    requestAnimationFrame: (callback: () => void) => frames.push(callback),
    setTimeout: (callback: () => void) => callback(),
  };
  page.window = page;
  runInNewContext(code ?? "", Object.assign(page, { __remixContext: {} }));
  return {
    html,
    fetched,
    paint: () => frames.splice(0).forEach((callback) => callback()),
    hide: () => listeners.get("visibilitychange")?.(),
  };
}

test("fetches no script before the first paint, and then each once", async () => {
  const page = await startScripts();

  expect(page.html).not.toMatch(/<link rel="modulepreload"|<script[^>]* (src|type)=/);
  expect(page.fetched).toEqual([]);

  page.paint();

  expect(page.fetched.slice(0, 2)).toEqual(["/assets/entry.js", "/assets/routes/login.js"]);
  expect(page.fetched.at(-1)).toMatch(
    /^module,true,import \* as r0 from "\/assets\/routes\/login\.js";import "\/assets\/entry\.js";/,
  );
  const { length } = page.fetched;
  page.hide();
  page.paint();
  expect(page.fetched).toHaveLength(length);
});

test("fetches the scripts without a paint in a tab in the background", async () => {
  const background = await startScripts({ isHidden: true });
  const startedHidden = await startScripts();
  startedHidden.hide();

  expect(background.fetched.at(-1)).toContain('import "/assets/entry.js"');
  expect(startedHidden.fetched.at(-1)).toContain('import "/assets/entry.js"');
});

test("fetches no script in a browser that lacks what the scripts need", async () => {
  const page = await startScripts({ isOld: true });
  page.paint();
  page.hide();

  expect(page.fetched).toEqual([]);
});
