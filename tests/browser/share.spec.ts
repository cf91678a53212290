import type { Page } from "@playwright/test";

import { expect, test } from "./fixtures.ts";

const PATH = "/read/the-lamplighters-orchard";

test.describe("with JavaScript", () => {
  test.use({ javaScriptEnabled: true });

  test("a story is shared with the browser's share sheet", async ({ page }) => {
    await page.addInitScript(() => {
      const share = (data: ShareData) => {
        document.title = `${data.title} ${data.url}`;
        return Promise.resolve();
      };
      Object.defineProperty(navigator, "share", { value: share });
    });
    await page.goto(`${PATH}?utm_source=x`);

    await openMore(page);
    await page.getByRole("button", { name: "Share" }).click();

    const address = new URL(PATH, page.url()).href;
    await expect(page).toHaveTitle(`The Lamplighter's Orchard ${address}`);
    await expect(findMessage(page)).toHaveText("");
  });

  test("a browser without a share sheet copies the address, and says so", async ({
    page,
    context,
  }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.addInitScript(() => delete (Navigator.prototype as Partial<Navigator>).share);
    await page.goto(PATH);

    await openMore(page);
    await page.getByRole("button", { name: "Share" }).click();

    await expect(findMessage(page)).toHaveText("Link copied.");
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(new URL(PATH, page.url()).href);
  });

  test("a browser that cannot copy shows the address", async ({ page }) => {
    await page.addInitScript(() => {
      delete (Navigator.prototype as Partial<Navigator>).share;
      Object.defineProperty(navigator, "clipboard", { value: undefined });
    });
    await page.goto(PATH);

    await openMore(page);
    await page.getByRole("button", { name: "Share" }).click();

    await expect(findMessage(page)).toContainText(new URL(PATH, page.url()).href);
  });

  test("the structured data is not blocked, and stays as it is in the browser", async ({
    page,
  }) => {
    await page.goto(PATH);
    await expect(page.locator("html")).toHaveAttribute("data-auth-loading", "false");

    const data = page.locator('script[type="application/ld+json"]');
    expect(JSON.parse((await data.textContent()) ?? "")).toMatchObject({
      headline: "The Lamplighter's Orchard",
    });
  });

  test("the picture of a story is one that browsers show", async ({ page }) => {
    await page.goto(PATH);
    const picture = page.locator('meta[property="og:image"]');

    const size = await picture.evaluate(async (meta) => {
      const image = new Image();
      image.src = meta.getAttribute("content") ?? "";
      await image.decode();
      return [image.naturalWidth, image.naturalHeight];
    });

    expect(size).toEqual([1200, 630]);
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("a story shows its address to copy", async ({ page }) => {
    await page.goto(PATH);

    await openMore(page);

    const address = new URL(PATH, page.url()).href;
    await expect(page.getByRole("link", { name: address })).toHaveAttribute("href", address);
  });
});

async function openMore(page: Page) {
  await page.locator("summary").filter({ hasText: "More" }).click();
}

function findMessage(page: Page) {
  const button = page.getByRole("button", { name: "Share" });
  return page.getByRole("listitem").filter({ has: button }).getByRole("status");
}
