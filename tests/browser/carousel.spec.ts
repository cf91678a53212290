import type { Locator, Page } from "@playwright/test";

import { LIVE, TRENDING } from "./carousels.ts";
import { expect, test } from "./fixtures.ts";
import { holdScript } from "./reader.ts";

test.describe("with JavaScript", () => {
  test.use({ contextOptions: { reducedMotion: "reduce" } });

  test("shows and moves the right number of books at every width, with the others inert", async ({
    page,
  }) => {
    await page.goto("/home");
    const row = page.getByRole("region", { name: TRENDING });

    // The test without JavaScript has both sides of each breakpoint.
    for (const [width, count] of [
      [1401, 3],
      [1400, 2],
      [1199, 3],
      [767, 2],
      [575, 1],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await expectShown(row, 0, count);
      await row.getByRole("button", { name: "Next" }).click();
      await expectShown(row, width > 1400 ? 3 : 1, count);
      await row.getByRole("button", { name: "Previous" }).click();
    }
  });

  test("moves before its script has arrived, so that no visible book is inert", async ({
    page,
  }) => {
    const load = await holdScript(page, "dashboard");
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto("/home");
    const row = page.getByRole("region", { name: TRENDING });

    await row.getByRole("button", { name: "Next" }).click();
    await expectShown(row, 1, 1);
    load();
    await expect(row.locator("[data-embla]")).toBeVisible();
    await expectShown(row, 1, 1);
  });

  test.describe("in a wide window", () => {
    test.use({ viewport: { width: 1440, height: 900 } });

    test("draws every cover, and turns pages with arrow keys, dots, buttons and the mouse", async ({
      page,
    }) => {
      await page.route("**/covers/salt-for-the-clockmaker.svg", (route) =>
        route.fulfill({ status: 404 }),
      );
      await page.goto("/home");
      const row = page.getByRole("region", { name: TRENDING });

      await test.step("draws covers that are missing or fail to load", async () => {
        const broken = row.getByRole("link", { name: "Salt for the Clockmaker" });
        await expect(broken.locator("svg")).toBeVisible();
        await expect(broken.locator("img")).toHaveCount(0);
        await expect(broken.getByText("Salt for the Clockmaker")).toHaveCount(2);
        await expect(broken).toHaveAccessibleName(/^Salt for the Clockmaker /);
        await expect(row.locator("img")).toHaveCount(11);
      });

      await test.step("makes the dots one tab stop, with arrow keys between them", async () => {
        const dots = row.getByRole("button", { name: /^Page/ });
        await expect(dots).not.toHaveCount(1);
        await expect(page.locator('button[aria-label^="Page"]:not([tabindex="-1"])')).toHaveCount(
          2,
        );

        await row.getByRole("button", { name: /^Page 1 of/ }).focus();
        await page.keyboard.press("ArrowRight");
        await expect(row.getByRole("button", { name: /^Page 2 of/ })).toBeFocused();
        await page.keyboard.press("ArrowLeft");
        await expect(row.getByRole("button", { name: /^Page 1 of/ })).toBeFocused();
        await page.keyboard.press("Tab");
        await expect(dots.and(page.locator(":focus"))).toHaveCount(0);
      });

      await test.step("turns the page with arrow keys and keeps the focus on visible books", async () => {
        await row.getByRole("link").first().focus();

        await page.keyboard.press("ArrowRight");

        await expectShown(row, 3, 3);
        await expect(row.getByRole("link").nth(3)).toBeFocused();
        await page.keyboard.press("Tab");
        await expect(row.getByRole("link").nth(4)).toBeFocused();
        await expectShown(row, 3, 3);

        await page.keyboard.press("ArrowLeft");
        await page.keyboard.press("ArrowLeft");
        await expectShown(row, 9, 3);
        await expect(row.getByText("10 to 12 of 12")).toBeAttached();
      });

      await test.step("goes from the last page to the first, and back", async () => {
        for (const first of [0, 3, 6, 9, 0]) {
          await row.getByRole("button", { name: "Next" }).click();
          await expectShown(row, first, 3);
        }
        await row.getByRole("button", { name: "Previous" }).click();
        await expectShown(row, 9, 3);
      });

      await test.step("turns the page with a drag without opening a book, and wraps around", async () => {
        await row.getByRole("button", { name: "Next" }).click();
        await expectShown(row, 0, 3);
        await waitForMotion(row, page);

        await drag(page, row, "left");
        await expectShown(row, 3, 3);
        await drag(page, row, "right");
        await expectShown(row, 0, 3);
        await drag(page, row, "right");
        await expectShown(row, 9, 3);
        await expect(page).toHaveURL("/home");
      });

      await test.step("reverses arrow keys and direction from right to left", async () => {
        await row.getByRole("button", { name: "Next" }).click();
        await expectShown(row, 0, 3);
        await page.addInitScript(() => {
          document.addEventListener("readystatechange", () => {
            document.body.dir = "rtl";
          });
        });
        await page.reload();
        await row.getByRole("link").first().focus();

        await page.keyboard.press("ArrowLeft");
        await expectShown(row, 3, 3);
        await page.keyboard.press("ArrowRight");
        await expectShown(row, 0, 3);
      });
    });

    test("keeps the page of a carousel on Back, on reload and when the window is resized", async ({
      page,
    }) => {
      await page.goto("/home");
      const row = page.getByRole("region", { name: TRENDING });
      await row.getByRole("button", { name: "Next" }).click();
      await row.getByRole("button", { name: "Next" }).click();
      await expectShown(row, 6, 3);

      await row.getByRole("listitem").nth(6).getByRole("link").click();
      await expect(page).toHaveURL(/\/read\//);
      await page.goBack();
      await expectShown(row, 6, 3);
      await page.reload();
      await expectShown(row, 6, 3);
      await expectShown(page.getByRole("region", { name: LIVE }), 0, 3);

      await page.setViewportSize({ width: 1280, height: 900 });
      await expectShown(row, 6, 2);
      await page.setViewportSize({ width: 360, height: 900 });
      await expectShown(row, 6, 1);
      await page.setViewportSize({ width: 1440, height: 900 });
      await expectShown(row, 6, 3);

      await page.getByRole("link", { name: "Create" }).click();
      await expect(page).toHaveURL("/login");
      await page.getByRole("link", { name: "Home", exact: true }).click();
      await expectShown(row, 0, 3);
    });

    test("shows any number of books that the browser fetches, or the server's if that fails", async ({
      page,
    }) => {
      const row = page.getByRole("region", { name: TRENDING });
      await serveBooks(page, [{ id: "a/b?c", title: "A Replacement", coverPhoto: "" }]);
      await page.goto("/home");
      for (const name of [TRENDING, LIVE]) {
        const link = page.getByRole("region", { name }).getByRole("link");
        await expect(link).toHaveCount(1);
        await expect(link).toHaveAccessibleName(/A Replacement( Quiet just now)?$/);
        await expect(link).toHaveAttribute("href", "/read/a%2Fb%3Fc");
      }

      for (const body of ["[{", '[{"name":"A Book"}]']) {
        await page.route("**/assets/jsons/books.json", (route) => route.fulfill({ body }));
        const response = page.waitForResponse("**/assets/jsons/books.json");
        await openHomeAgain(page);
        await (await response).finished();
        await expectShown(row, 0, 3);
        await expect(row.getByRole("listitem").first()).toContainText("The Lamplighter's Orchard");
      }

      await test.step("fills the last page, and does not wrap around with few books", async () => {
        await serveBooks(page, makeBooks(8));
        await openHomeAgain(page);
        await expect(row.getByRole("button", { name: /^Page/ })).toHaveCount(3);
        await row.getByRole("button", { name: "Page 3 of 3" }).click();
        await expectShown(row, 5, 3);
        await row.getByRole("button", { name: "Next" }).click();
        await expectShown(row, 0, 3);

        await serveBooks(page, makeBooks(2));
        await openHomeAgain(page);
        await expectShown(row, 0, 2);
        await expect(row.getByRole("button", { name: "Next" })).toBeDisabled();
        await expect(row.getByRole("button", { name: /^Page/ })).toHaveCount(0);

        // With two hundred, the page number is in words.
        await serveBooks(page, makeBooks(200));
        await openHomeAgain(page);
        await expect(row.getByText("Page 1 of 67")).toBeVisible();
        await row.getByRole("button", { name: "Previous" }).click();
        await expect(row.getByText("Page 67 of 67")).toBeVisible();
        await expectShown(row, 197, 3);
      });
    });
  });

  test.describe("on a phone", () => {
    test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });

    test("turns the page with swipes, including the first, and wraps around", async ({ page }) => {
      await page.goto("/home");
      const row = page.getByRole("region", { name: TRENDING });
      await expectShown(row, 0, 1);

      await swipe(page, row, "left");
      await expectShown(row, 1, 1);
      await expect(row.locator("[data-embla]")).toBeVisible();
      await swipe(page, row, "left");
      await expectShown(row, 2, 1);
      for (const first of [1, 0, 11]) {
        await swipe(page, row, "right");
        await expectShown(row, first, 1);
      }
      await swipe(page, row, "left");
      await expectShown(row, 0, 1);
      await expect(page).toHaveURL("/home");
    });
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("shows the right number of books at every width, in a list that snaps", async ({ page }) => {
    await page.goto("/home");
    const row = page.getByRole("region", { name: TRENDING });
    await expect(row.getByRole("listitem")).toHaveCount(12);
    await expect(row.getByRole("button")).toHaveCount(0);

    for (const [width, count] of [
      [1401, 3],
      [1400, 2],
      [1200, 2],
      [1199, 3],
      [768, 3],
      [767, 2],
      [576, 2],
      [575, 1],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      expect(await listVisible(row)).toEqual(Array.from({ length: count }, (_, index) => index));
    }
    await row.getByRole("link").last().focus();
    await expect.poll(() => listVisible(row)).toEqual([11]);
  });
});

/** Expects exactly these items to be visible and not inert. */
async function expectShown(row: Locator, first: number, count: number) {
  const places = Array.from({ length: count }, (_, index) => first + index);
  await expect
    .poll(async () => await Promise.all([listVisible(row), listActive(row)]))
    .toEqual([places, places]);
}

async function listActive(row: Locator): Promise<number[]> {
  return await row
    .locator("li")
    .evaluateAll((items) =>
      items.flatMap((item, index) => (item.hasAttribute("inert") ? [] : [index])),
    );
}

/** Returns the indices of the items that are fully inside the row, within a pixel. */
async function listVisible(row: Locator): Promise<number[]> {
  return await row.locator("ul").evaluate((list) => {
    const view = list.parentElement?.getBoundingClientRect();
    return Array.from(list.children).flatMap((item, index) => {
      const { left, right } = item.getBoundingClientRect();
      return view && left >= view.left - 1 && right <= view.right + 1 ? [index] : [];
    });
  });
}

/** Loads the carousel's motion, which happens at the first input. */
async function waitForMotion(row: Locator, page: Page) {
  await page.mouse.move(10, 10);
  await expect(row.locator("[data-embla]")).toBeVisible();
}

/** Drags a row by most of its width. */
async function drag(page: Page, row: Locator, side: "left" | "right") {
  const { left, right, y } = await row.locator("ul").evaluate((list) => {
    const view = list.parentElement?.getBoundingClientRect() ?? new DOMRect();
    return { left: view.left + 100, right: view.right - 100, y: view.top + 100 };
  });
  await page.mouse.move(side === "left" ? right : left, y);
  await page.mouse.down();
  await page.mouse.move(side === "left" ? left : right, y, { steps: 10 });
  await page.mouse.up();
}

/** Swipes with one finger. Uses Chromium's protocol, because Playwright can only tap. */
async function swipe(page: Page, row: Locator, side: "left" | "right") {
  const y = await row.locator("ul").evaluate((list) => list.getBoundingClientRect().top + 120);
  const [from, to] = side === "left" ? [300, 60] : [60, 300];
  const session = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", x?: number) =>
    session.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: x === undefined ? [] : [{ x, y }],
    });

  await touch("touchStart", from);
  for (let step = 1; step <= 10; step += 1) {
    await touch("touchMove", from + ((to - from) * step) / 10);
  }
  await touch("touchEnd");
  await session.detach();
}

function makeBooks(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    id: `story-${index}`,
    title: `Story ${index + 1}`,
    coverPhoto: "/assets/covers/the-understudy-moon.svg",
  }));
}

/** Leaves /home by a link and comes back, which fetches the list of books again. */
async function openHomeAgain(page: Page) {
  await page.getByRole("link", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveURL("/login");
  await page.getByRole("link", { name: "Home", exact: true }).click();
  await expect(page).toHaveURL("/home");
}

async function serveBooks(page: Page, books: object[]) {
  await page.route("**/assets/jsons/books.json", (route) => route.fulfill({ json: books }));
}
