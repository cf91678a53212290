import seed from "#emulator/seed.json" with { type: "json" };
import { addMessages } from "#tests/support/fill-room.ts";
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

/** Senders of a group each. A long name needs a line of its own. */
const NAMES = ["Jo", "Wilhelmina Konstantinopolitanska of the Lower Harbour"];

for (const javaScriptEnabled of [true, false]) {
  test.describe(`${javaScriptEnabled ? "with" : "without"} scripts`, () => {
    test.use({ javaScriptEnabled });

    test("bubbles are narrow, and a sender's later ones have name and time at the end of the text", async ({
      page,
      app,
      person,
    }) => {
      const messages = NAMES.flatMap((displayName, sender) =>
        GROUP.map((text) => ({ text, uid: `sender${sender}`, displayName })),
      );
      await addMessages(app.firebase.hosts, messages);
      await openAs(page, person, ROOM_PATH);
      if (javaScriptEnabled) await expectLive(page);
      else await openRoom(page);
      const articles = page.getByRole("log").getByRole("article");
      await expect(articles).toHaveCount(messages.length);

      for (const width of [360, 1280]) {
        await test.step(`at ${width} pixels`, async () => {
          await page.setViewportSize({ width, height: 800 });
          expect(await articles.evaluateAll(readLayouts)).toEqual(
            messages.map(({ text }, index) => ({
              text,
              isFirst: true,
              isAbove: index % GROUP.length === 0,
              overlaps: false,
              isInside: true,
              isNarrow: true,
            })),
          );
          await expect(articles.nth(1)).toHaveText(/^Jo.*Yes$/);
          await expect(articles.nth(GROUP.length + 1)).toHaveText(/^Wilhelmina .*Harbour.*Yes$/);
          // The row with its distance is as high as the button of its menu.
          await expect(articles.nth(1)).toHaveCSS("height", "42px");
        });
      }
      if (!javaScriptEnabled) return;

      await test.step("with WCAG's text spacing, no message covers its own name, or is cut off", async () => {
        await page.setViewportSize({ width: 360, height: 800 });
        await page.evaluate(() => {
          const sheet = new CSSStyleSheet();
          sheet.replaceSync(
            "* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important }" +
              "p { margin-block-end: 2em !important }",
          );
          document.adoptedStyleSheets.push(sheet);
        });
        expect(await articles.evaluateAll(readLayouts)).toMatchObject(
          messages.map(({ text }) => ({ text, overlaps: false, isInside: true })),
        );
      });
    });
  });
}

test.describe("the room", () => {
  test("has space for nine and a half of the first messages, and their menus never overlap", async ({
    page,
    app,
    person,
  }) => {
    const first = seed.documents.map(({ fields: { text, uid, displayName } }) => {
      if (!text || !uid || !displayName) throw new Error("The seed has messages");
      return { text, uid, displayName };
    });
    const messages = [first, first, first, first].flat();
    await addMessages(app.firebase.hosts, messages);
    await openAs(page, person, ROOM_PATH);
    await expectLive(page);
    const feed = page.getByRole("log");
    await expect(feed.getByRole("article")).toHaveCount(messages.length);
    await expect(feed.getByRole("button", { name: /^Actions for / })).toHaveCount(messages.length);

    for (const { width, space } of [
      { width: 1280, space: 9.7 },
      { width: 360, space: 9.5 },
    ]) {
      await page.setViewportSize({ width, height: 800 });
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
      expect(layout.space, `at ${width} pixels`).toBeGreaterThanOrEqual(space);
      expect(layout, `at ${width} pixels`).toMatchObject({ heights: [44], overlaps: 0 });
    }
  });
});

/** How the name and the time of each message stand to its text. */
function readLayouts(articles: Element[]) {
  return articles.map((element) => {
    const [meta, body] = element.children;
    const text = body?.querySelector("p");
    if (!meta || !text) throw new Error("A message has a name and a text");
    const range = document.createRange();
    range.selectNodeContents(text);
    const lines = [...range.getClientRects()];
    const box = meta.getBoundingClientRect();
    const bubble = element.getBoundingClientRect();
    const feed = element.closest("[role=log]");
    return {
      text: text.textContent,
      isFirst: meta.querySelector("time") !== null,
      isAbove: lines.every(({ top }) => top >= box.bottom - 1),
      // The boxes of lines are higher than their letters.
      overlaps: lines.some(
        ({ top, bottom, left, right }) =>
          left < box.right && box.left < right && top + 4 < box.bottom && box.top + 4 < bottom,
      ),
      isInside: box.left >= bubble.left && box.right <= bubble.right && box.bottom < bubble.bottom,
      isNarrow: feed !== null && bubble.width <= feed.clientWidth * 0.75,
    };
  });
}
