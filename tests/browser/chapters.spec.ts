import type { Locator, Page } from "@playwright/test";

import { expect, test } from "./fixtures.ts";
import { expectAtTop, expectTracking, holdScript, waitForFrames } from "./reader.ts";

const PATH = "/read/the-ministry-of-quiet-machines";

test.describe("with JavaScript", () => {
  test.use({ contextOptions: { reducedMotion: "reduce" } });
  describeChapters();

  test("a link leads to a chapter again and Back to where the user was, beside the contents", async ({
    page,
  }) => {
    await page.goto(PATH);
    const third = findThirdChapter(page);
    const scrollTo = async (top: number) => {
      await page.evaluate((y) => window.scrollTo(0, y), top);
      await expect.poll(() => page.evaluate(() => scrollY)).toBe(top);
    };
    await scrollTo(300);
    await followThirdChapter(page);
    // The page has scrolled by then, and does not scroll again.
    await expect(third).toBeFocused();
    await expect(third).toBeInViewport();

    await scrollTo(400);
    await expect(third).not.toBeInViewport();
    await followThirdChapter(page);
    await expect(third).toBeInViewport();
    await expect(third).toBeFocused();

    await page.goBack();
    await expect(page).toHaveURL(PATH);
    // Text above that is laid out meanwhile may move the page by some lines.
    await expect.poll(() => page.evaluate(() => Math.abs(scrollY - 300))).toBeLessThan(200);

    for (const width of [1280, 1920]) {
      await test.step(`the contents do not overlap the end of the story, ${width} px wide`, async () => {
        await page.setViewportSize({ width, height: 900 });
        const contents = page.getByRole("navigation", { name: "Contents" });
        await expect(contents).toBeVisible();
        const end = page.getByRole("region", { name: "After the story" });
        await end.scrollIntoViewIfNeeded();
        const rail = await contents.boundingBox();
        const box = await end.boundingBox();
        expect((rail?.x ?? 0) + (rail?.width ?? 0)).toBeLessThanOrEqual(box?.x ?? 0);
        expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
      });
    }
  });

  test("removes the chapter from the address once the user reads on", async ({ page }) => {
    await page.goto(PATH);
    const third = findThirdChapter(page);
    const entries = await page.evaluate(() => history.length);
    await followThirdChapter(page);
    await expect(third).toBeInViewport();
    await expect(page).toHaveURL(/#p-/);

    await page.mouse.move(600, 400);
    // A busy page handles several wheel events as one. After a small one the chapter is still in view, as for a reader.
    const top = (await third.boundingBox())?.y ?? 0;
    await page.mouse.wheel(0, 60);
    await expect.poll(async () => (await third.boundingBox())?.y ?? 0).toBeLessThan(top);
    await page.mouse.wheel(0, 900);
    await page.mouse.wheel(0, 300);
    await expect(page).toHaveURL(PATH);
    expect(await page.evaluate(() => history.length)).toBe(entries + 1);
    const passage = await findPassageInView(page);

    await page.reload();
    await expect(page).toHaveURL(PATH);
    await expect(passage).toBeInViewport();
    await followThirdChapter(page);
    await expect(third).toBeInViewport();
  });

  test("names the chapter in view of a text that was translated to another length", async ({
    page,
  }) => {
    await page.goto(PATH);
    await page.locator("#text p").evaluateAll((paragraphs) => {
      for (const paragraph of paragraphs.slice(0, paragraphs.length / 3)) {
        paragraph.textContent = `${paragraph.textContent} `.repeat(3);
      }
    });
    await page.keyboard.press("Shift");
    await expectTracking(page);

    const third = findThirdChapter(page);
    await setLayoutAbove(third, "visible");
    await third.evaluate((heading) => heading.nextElementSibling?.scrollIntoView());

    const tools = page.getByRole("region", { name: "Reading tools" });
    await expect(tools).toContainText("Chapter 3 of 12");
  });

  test("stays at a chapter while the text above it is laid out", async ({ page }) => {
    await page.goto(PATH);
    await page.keyboard.press("Shift");
    await expectTracking(page);
    const third = findThirdChapter(page);
    await setLayoutAbove(third, "hidden");
    await third.evaluate((heading) => {
      const above = heading.closest("section")?.previousElementSibling;
      const layOut = () => {
        if (above instanceof HTMLElement) above.style.contentVisibility = "visible";
      };
      new MutationObserver(layOut).observe(heading, { attributeFilter: ["data-linked"] });
    });

    await followThirdChapter(page);

    await expectFirstAfterLayout(third);
  });

  test("stays at a chapter while the text above it is laid out, if its scripts load late", async ({
    page,
  }) => {
    const load = await holdScript(page, "reader");
    await page.goto(PATH);
    const third = findThirdChapter(page);
    await setLayoutAbove(third, "hidden");
    await followThirdChapter(page);
    await expect(third).toHaveAttribute("data-linked", "");

    load();
    await expectTracking(page);
    await setLayoutAbove(third, "visible");

    await expectFirstAfterLayout(third);
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });
  describeChapters();
});

function describeChapters() {
  test("has a list of chapters, with links to the next and previous one", async ({ page }) => {
    await page.goto(PATH);
    const tools = page.getByRole("region", { name: "Reading tools" });
    const contents = page.getByRole("navigation", { name: "Contents" });
    await expect(tools).toContainText("Chapter 1 of 12");
    if (!(await contents.isVisible()))
      await page.locator("summary", { hasText: "Contents" }).click();
    await expect(contents.getByRole("listitem")).toHaveCount(12);

    await followThirdChapter(page);

    const third = findThirdChapter(page);
    await expect(third).toBeInViewport();
    const id = (await third.getAttribute("id")) ?? "no id";
    await expect(page).toHaveURL(`${PATH}#${id}`);
    // Brings back the bar, which hides while the user reads on.
    await page.mouse.move(500, 400);
    await page.mouse.wheel(0, -60);
    await tools.getByRole("link", { name: /^Next chapter: / }).click();
    await expect(page).not.toHaveURL(`${PATH}#${id}`);
    await expect(page).toHaveURL(/#p-/);
  });
}

function findThirdChapter(page: Page): Locator {
  return page.getByRole("article").getByRole("heading", { level: 2 }).nth(2);
}

async function followThirdChapter(page: Page) {
  const contents = page.getByRole("navigation", { name: "Contents" });
  await contents.getByRole("link", { name: /^3\. / }).click();
}

/** Finds a passage in the middle of the window. */
async function findPassageInView(page: Page): Promise<Locator> {
  const passages = page.locator("#text [id^='p-']");
  const index = await passages.evaluateAll((elements) =>
    elements.findIndex((element) => element.getBoundingClientRect().bottom > innerHeight / 2),
  );
  return passages.nth(index);
}

/** Lays out the section above a chapter, or skips its layout, as browsers do far from the view. */
async function setLayoutAbove(chapter: Locator, visibility: "hidden" | "visible") {
  await chapter.evaluate((heading, value) => {
    const above = heading.closest("section")?.previousElementSibling;
    if (!(above instanceof HTMLElement)) return;
    above.style.contentVisibility = value;
    above.style.containIntrinsicBlockSize = "100px";
  }, visibility);
}

/** Expects a chapter at the top of the window once the section above it is laid out. */
async function expectFirstAfterLayout(chapter: Locator) {
  await expect
    .poll(() =>
      chapter.evaluate((heading) => {
        const above = heading.closest("section")?.previousElementSibling;
        return above?.getBoundingClientRect().height;
      }),
    )
    .toBeGreaterThan(1000);
  await waitForFrames(chapter.page());
  await expectAtTop(chapter);
}
