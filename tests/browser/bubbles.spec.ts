import type { Locator } from "@playwright/test";

import seed from "#emulator/seed.json" with { type: "json" };
import { changeDocument } from "#tests/support/documents.ts";
import { fillRoom } from "#tests/support/fill-room.ts";
import { expect, test } from "./fixtures.ts";
import { expectLive, openRoom, ROOM_PATH } from "./room.ts";
import { openAs } from "./sign-in.ts";

const LONG_LINE =
  "A gate that nobody has opened since the flood, with a bell on it that rings twice.";

/** Messages of one sender, within five minutes. */
const GROUP = [
  "Is anyone here?",
  "Yes",
  "🐟",
  LONG_LINE,
  "كتب الرسالة في الليل، ثم أطفأ المصباح ومشى إلى النهر",
  "https://example.org/a-map-of-the-rain/with/a/long/way/to/go",
];

for (const width of [360, 1280]) {
  for (const javaScriptEnabled of [true, false]) {
    test.describe(`at ${width} px, ${javaScriptEnabled ? "with" : "without"} scripts`, () => {
      test.use({ javaScriptEnabled, viewport: { width, height: 800 } });

      for (const displayName of ["Jo", "Wilhelmina Konstantinopolitanska of the Lower Harbour"]) {
        test(`the later messages of ${displayName} have name and time at the end of the text`, async ({
          page,
          app,
          person,
          addPerson,
        }) => {
          const sender = await addPerson({ displayName });
          const end = Date.now() - 60_000;
          await fillRoom(app.firebase, sender, GROUP.length, GROUP, (index) => end + index + 0.5);
          await openAs(page, person, ROOM_PATH);
          if (javaScriptEnabled) await expectLive(page);
          else await openRoom(page);
          const articles = page.getByRole("log").getByRole("article");
          await expect(articles).toHaveCount(GROUP.length);

          for (const [index, article] of (await articles.all()).entries()) {
            await article.scrollIntoViewIfNeeded();
            expect(await readLayout(article), GROUP[index]).toEqual({
              isFirst: true,
              isAbove: index === 0,
              overlaps: false,
              isInside: true,
            });
          }
          const oneWord = articles.nth(1);
          await expect(oneWord).toHaveText(new RegExp(`^${displayName}.*Yes$`));
          // The row with its distance is as high as the button of its menu. A long name needs a line of its own.
          if (displayName === "Jo") await expect(oneWord).toHaveCSS("height", "42px");
        });
      }
    });
  }
}

for (const { width, space } of [
  { width: 1280, space: 9.7 },
  { width: 360, space: 9.5 },
]) {
  test.describe(`at ${width} × 800`, () => {
    test.use({ javaScriptEnabled: true, viewport: { width, height: 800 } });

    test(`the room has space for ${space} of the first messages, and their menus never overlap`, async ({
      page,
      app,
      person,
    }) => {
      const rounds = 4;
      const start = Date.now() - 60_000;
      for (let index = 0; index < rounds * seed.documents.length; index += 1) {
        const { text, uid, displayName } =
          seed.documents[index % seed.documents.length]?.fields ?? {};
        if (!text || !uid || !displayName) throw new Error("The seed has messages");
        await changeDocument(app.firebase.hosts, `rooms/general/messages/seed${index}`, {
          text: { stringValue: text },
          uid: { stringValue: uid },
          displayName: { stringValue: displayName },
          photoURL: { nullValue: null },
          createdAt: { timestampValue: new Date(start + index * 1000).toISOString() },
        });
      }
      await openAs(page, person, ROOM_PATH);
      await expectLive(page);
      const feed = page.getByRole("log");
      const articles = feed.getByRole("article");
      await expect(articles).toHaveCount(rounds * seed.documents.length);
      await expect(feed.getByRole("button", { name: /^Actions for / })).toHaveCount(
        await articles.count(),
      );
      const layout = await feed.evaluate((element) => {
        const tops = [...element.querySelectorAll("article")].map(
          (article) => article.getBoundingClientRect().top,
        );
        const menus = [...element.querySelectorAll("article + button")].map((button) =>
          button.getBoundingClientRect(),
        );
        const [first = 0] = tops.slice(-13);
        return {
          // Twelve messages are three rounds.
          space: (element.clientHeight / ((tops.at(-1) ?? 0) - first)) * 12,
          heights: [...new Set(menus.map(({ height }) => height))],
          overlaps: menus.filter(({ top }, index) => top < (menus[index - 1]?.bottom ?? top))
            .length,
        };
      });
      expect(layout.space).toBeGreaterThanOrEqual(space);
      expect(layout).toMatchObject({ heights: [44], overlaps: 0 });
    });
  });
}

test.describe("with WCAG's text spacing", () => {
  test.use({ javaScriptEnabled: true, viewport: { width: 360, height: 800 } });

  test("no message covers its own name, or is cut off", async ({
    page,
    app,
    person,
    addPerson,
  }) => {
    const sender = await addPerson({ displayName: "Jo" });
    const end = Date.now() - 60_000;
    await fillRoom(app.firebase, sender, GROUP.length, GROUP, (index) => end + index + 0.5);
    await openAs(page, person, ROOM_PATH);
    await expectLive(page);
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(
        "* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important }" +
          "p { margin-block-end: 2em !important }",
      );
      document.adoptedStyleSheets.push(sheet);
    });
    const articles = page.getByRole("log").getByRole("article");
    await expect(articles).toHaveCount(GROUP.length);
    for (const article of await articles.all()) {
      await article.scrollIntoViewIfNeeded();
      expect(await readLayout(article)).toMatchObject({ overlaps: false, isInside: true });
    }
  });
});

/** How the name and the time of a message stand to its text. */
async function readLayout(article: Locator) {
  return await article.evaluate((element) => {
    const [meta, body] = element.children;
    const text = body?.querySelector("p");
    if (!meta || !text) throw new Error("A message has a name and a text");
    const range = document.createRange();
    range.selectNodeContents(text);
    const lines = [...range.getClientRects()];
    const box = meta.getBoundingClientRect();
    const bubble = element.getBoundingClientRect();
    return {
      isFirst: meta.querySelector("time") !== null,
      isAbove: lines.every(({ top }) => top >= box.bottom - 1),
      // The boxes of lines are higher than their letters.
      overlaps: lines.some(
        ({ top, bottom, left, right }) =>
          left < box.right && box.left < right && top + 4 < box.bottom && box.top + 4 < bottom,
      ),
      isInside: box.left >= bubble.left && box.right <= bubble.right && box.bottom < bubble.bottom,
    };
  });
}
