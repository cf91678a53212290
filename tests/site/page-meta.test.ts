import { expect, test } from "vitest";

import { createAppHandler } from "#tests/support/app-handler.ts";
import { startApp, type TestApp } from "#tests/support/routes.ts";
import { deleteStory, publishStory } from "#tests/support/stories.ts";

const ORIGIN = "https://inkglade.example";

test("a story's page describes it for search engines and link previews, each property once", async () => {
  await using app = await startApp();
  await publishStory(app.firebase.hosts, {
    ...{ id: "salt-0123456789", title: "Salt", text: "Salt.", description: "A clerk." },
    ...{ tags: ["sea"], publishedAt: "2026-01-02T03:04:05Z", updatedAt: "2026-05-06T07:08:09Z" },
  });

  const page = await getPage(app, "/read/salt-0123456789?passage=3");

  const address = `${ORIGIN}/read/salt-0123456789`;
  const picture = `${address}.png?v=${Date.UTC(2026, 4, 6, 7, 8, 9)}`;
  expect(page.canonical).toEqual([address]);
  expect(page.names).toEqual([...new Set(page.names)]);
  expect(page.meta).toMatchObject({
    description: "A clerk.",
    "og:title": "Salt",
    "og:description": "A clerk.",
    "og:type": "article",
    "og:url": address,
    "og:site_name": "Inkglade",
    "og:image": picture,
    "og:image:width": "1200",
    "og:image:height": "630",
    "og:image:alt": "Salt, by Ana",
    "twitter:card": "summary_large_image",
  });
  expect(page.structuredData).toEqual([
    {
      "@context": "https://schema.org",
      "@type": ["Article", "ShortStory"],
      headline: "Salt",
      url: address,
      image: picture,
      author: { "@type": "Person", name: "Ana", url: `${ORIGIN}/home?writer=ana` },
      description: "A clerk.",
      keywords: ["sea"],
      wordCount: 1,
      datePublished: "2026-01-02T03:04:05.000Z",
      dateModified: "2026-05-06T07:08:09.000Z",
      isAccessibleForFree: true,
    },
  ]);
  expect(await getStatus(app, picture)).toBe(200);
});

test("no title breaks out of the structured data", async () => {
  await using app = await startApp();
  const title = `</script><script>alert(1)</script><!-- " ' & \u2028`;
  await publishStory(app.firebase.hosts, { id: "salt-0123456789", title, text: "Salt." });

  const { html, structuredData } = await getPage(app, "/read/salt-0123456789");

  expect(structuredData).toMatchObject([{ headline: title }]);
  expect(html).not.toContain("<script>alert");
});

test.each([
  ["/home", "/home"],
  ["/home?utm_source=x", "/home"],
  ["/home?writer=ana", "/home?writer=ana"],
  ["/home?tag=Sea", "/home?tag=sea"],
  ["/about", "/about"],
  ["/privacy?x=1", "/privacy"],
  ["/login?x=1", "/login"],
])("the canonical address of %s is %s", async (path, canonical) => {
  await using app = await startApp();
  const story = { id: "salt-0123456789", title: "Salt", text: "Salt.", tags: ["sea"] };
  await publishStory(app.firebase.hosts, story);

  const page = await getPage(app, path);

  expect(page.canonical).toEqual([ORIGIN + canonical]);
  expect(page.meta["og:url"]).toBe(ORIGIN + canonical);
  expect(page.meta["og:image"]).toBe(`${ORIGIN}/social.png`);
  expect(page.names).toEqual([...new Set(page.names)]);
  expect(page.meta).not.toHaveProperty("robots");
});

test.each([
  "/home?q=salt",
  "/home?type=book",
  "/home?tag=sea&tag=salt",
  "/home?tag=-sea",
  "/home?writer=ana&sort=long",
  "/home?writer=ana&after=5-salt-0123456789",
  "/home?writer=nobody",
  "/read/salt-0123456789",
  "/read/anything",
  "/read/salt-0123456789/report",
  "/assets/none",
])("search engines never list %s", async (path) => {
  await using app = await startApp();
  const { hosts } = app.firebase;
  await publishStory(hosts, { id: "salt-0123456789", title: "Salt", text: "Salt." });
  await publishStory(hosts, { id: "sand-0123456789", title: "Sand", text: "Sand." });
  // Withdrawn.
  await deleteStory(hosts, "salt-0123456789");

  const page = await getPage(app, path);

  expect(page.meta.robots).toBe("noindex");
  expect(page.canonical).toEqual([]);
  expect(page.names).toEqual([...new Set(page.names)]);
});

test.each([
  ["/home", ["/feed.xml"]],
  ["/home?writer=ana", ["/feed.xml?writer=ana"]],
  ["/home?tag=sea", ["/feed.xml?tag=sea"]],
  ["/home?writer=inkglade", []],
  ["/home?q=salt", []],
])("%s names the feeds %j to feed readers, and links to them", async (path, feeds) => {
  await using app = await startApp();
  const story = { id: "salt-0123456789", title: "Salt", text: "Salt.", tags: ["sea"] };
  await publishStory(app.firebase.hosts, story);

  const { html } = await getPage(app, path);

  const named = html.matchAll(
    /<link rel="alternate" type="application\/atom\+xml"[^>]* href="([^"]+)"/g,
  );
  expect(Array.from(named, ([, href]) => href)).toEqual(feeds);
  const links = html.matchAll(/<a [^>]*href="(\/feed[^"]+)"/g);
  expect(Array.from(links, ([, href]) => href)).toEqual(feeds.filter((feed) => feed.includes("?")));
});

async function getStatus(app: TestApp, address: string): Promise<number> {
  const handle = await createAppHandler(app.env);
  return (await handle(new Request(address))).status;
}

async function getPage(app: TestApp, path: string) {
  const handle = await createAppHandler(app.env);
  const response = await handle(new Request(ORIGIN + path, { headers: { Accept: "text/html" } }));
  const html = await response.text();
  const metas = Array.from(
    html.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)"/g),
    ([, name = "", content = ""]) => [name, content] as const,
    // The toolbar has a colour for each theme.
  ).filter(([name]) => name !== "theme-color" && name !== "react-aria");
  const canonical = html.matchAll(/<link rel="canonical" href="([^"]+)"/g);
  const data = html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs);
  return {
    html,
    names: metas.map(([name]) => name),
    meta: Object.fromEntries(metas),
    canonical: Array.from(canonical, ([, href]) => href),
    structuredData: Array.from(data, ([, json = ""]) => JSON.parse(json) as unknown),
  };
}
