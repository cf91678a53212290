import type { Locator } from "@playwright/test";

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
