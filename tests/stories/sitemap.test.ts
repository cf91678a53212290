import { expect, test } from "vitest";

import { loader as sendRobots } from "#app/routes/robots[.]txt.ts";
import { loader } from "#app/routes/sitemap[.]xml.ts";
import { expectConsoleError } from "#tests/support/console.ts";
import { startApp, type Outcome, type TestApp } from "#tests/support/routes.ts";
import { publishStory } from "#tests/support/stories.ts";

const ORIGIN = "https://inkglade.example";

test("robots.txt leads to the sitemap, and keeps search engines off forms", async () => {
  await using app = await startApp();

  const text = await readText(await app.send(sendRobots, `${ORIGIN}/robots.txt`));

  expect(text).toContain(`\nSitemap: ${ORIGIN}/sitemap.xml\n`);
  expect(text).toContain("\nDisallow: /create\n");
  expect(text).toContain("\nDisallow: /profile\n");
});

test("the sitemaps have every published story, its writer and the built-in stories", async () => {
  await using app = await startApp();
  const { hosts } = app.firebase;
  const story = { text: "Salt.", uid: "ana" };
  await publishStory(hosts, {
    ...{ ...story, id: "salt-0123456789", title: "Salt" },
    publishedAt: "2025-03-02T03:04:05Z",
    updatedAt: "2026-05-06T07:08:09Z",
  });
  await publishStory(hosts, {
    ...{ ...story, id: "sand-0123456789", title: "Sand", uid: "tomas" },
    publishedAt: "2026-01-02T03:04:05Z",
  });

  const addresses = await readAllAddresses(app);

  expect(addresses).toEqual(
    expect.arrayContaining([
      `${ORIGIN}/home`,
      `${ORIGIN}/about`,
      `${ORIGIN}/read/the-lamplighters-orchard`,
      `${ORIGIN}/home?writer=inkglade`,
      `${ORIGIN}/read/salt-0123456789 2026-05-06T07:08:09.000Z`,
      `${ORIGIN}/home?writer=ana 2026-05-06T07:08:09.000Z`,
      `${ORIGIN}/read/sand-0123456789 2026-01-02T03:04:05.000Z`,
      `${ORIGIN}/home?writer=tomas 2026-01-02T03:04:05.000Z`,
    ]),
  );
});

test("the sitemaps have all of more stories than a list or a request has", async () => {
  await using app = await startApp();
  const ids = Array.from({ length: 104 }, (_, index) => `story-${String(index).padStart(10, "0")}`);
  await Promise.all(
    ids.map((id, index) => {
      // One in 2025, and the others within two days.
      const time = index === 0 ? Date.UTC(2025, 0, 5) : Date.UTC(2026, 0, 5) + index * 1_000_000;
      const publishedAt = new Date(time).toISOString();
      return publishStory(app.firebase.hosts, { id, title: "Salt", text: "Salt.", publishedAt });
    }),
  );

  const addresses = (await readAllAddresses(app)).map((line) => line.split(" ")[0]);

  for (const id of ids) expect(addresses).toContain(`${ORIGIN}/read/${id}`);
});

test.each(["week=", "week=1", "week=99999", "week=2900x", "week=-3000"])(
  "there is no sitemap for ?%s",
  async (query) => {
    await using app = await startApp();

    expect(await app.send(loader, `${ORIGIN}/sitemap.xml?${query}`)).toMatchObject({ status: 404 });
  },
);

test("asks search engines to come back when the database does not respond", async () => {
  expectConsoleError();
  await using app = await startApp({ FIRESTORE_EMULATOR_HOST: "127.0.0.1:1" });

  for (const path of ["/sitemap.xml", "/sitemap.xml?week=2922"]) {
    const { status, headers } = await app.send(loader, ORIGIN + path);
    expect([status, headers.get("Retry-After")]).toEqual([503, "60"]);
  }
});

/** Follows the index, and returns the addresses with the times of their last change. */
async function readAllAddresses(app: TestApp): Promise<string[]> {
  const sitemaps = readAddresses(await readText(await app.send(loader, `${ORIGIN}/sitemap.xml`)));
  const texts = await Promise.all(
    sitemaps.map(async (line) => readText(await app.send(loader, line.split(" ")[0] ?? ""))),
  );
  return texts.flatMap(readAddresses);
}

function readAddresses(xml: string): string[] {
  const entries = xml.matchAll(/<loc>(.*?)<\/loc>(?:<lastmod>(.*?)<\/lastmod>)?/g);
  return Array.from(entries, ([, address = "", time]) =>
    [address.replaceAll("&amp;", "&"), time].filter(Boolean).join(" "),
  );
}

function readText(outcome: Outcome): Promise<string> {
  if (!(outcome instanceof Response)) throw new TypeError("Expected a response");
  expect(outcome.status).toBe(200);
  return outcome.text();
}
