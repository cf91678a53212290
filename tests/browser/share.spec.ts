import type { Page } from "@playwright/test";

import { expect, test } from "./fixtures.ts";

const PATH = "/read/the-lamplighters-orchard";

test.describe("with JavaScript", () => {
  test("a story is shared in every browser, with its data and a picture that browsers show", async ({
    page,
    context,
  }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto(`${PATH}?utm_source=x`);
    const address = new URL(PATH, page.url()).href;

    await test.step("the structured data is not blocked, and stays as it is", async () => {
      const data = page.locator('script[type="application/ld+json"]');
      expect(JSON.parse((await data.textContent()) ?? "")).toMatchObject({
        headline: "The Lamplighter's Orchard",
      });
    });

    await test.step("browsers show the picture", async () => {
      const size = await page.locator('meta[property="og:image"]').evaluate(async (meta) => {
        const image = new Image();
        image.src = meta.getAttribute("content") ?? "";
        await image.decode();
        return [image.naturalWidth, image.naturalHeight];
      });
      expect(size).toEqual([1200, 630]);
    });

    await page.locator("summary").filter({ hasText: "More" }).click();
    const button = page.getByRole("button", { name: "Share" });
    await test.step("a browser shows its share sheet", async () => {
      await page.evaluate(() => {
        const share = (data: ShareData) => {
          document.title = `${data.title} ${data.url}`;
          return Promise.resolve();
        };
        Object.defineProperty(navigator, "share", { value: share, configurable: true });
      });
      await button.click();
      await expect(page).toHaveTitle(`The Lamplighter's Orchard ${address}`);
      await expect(findMessage(page)).toHaveText("");
    });

    await test.step("a browser without a share sheet copies the address, and says so", async () => {
      await page.evaluate(() => {
        for (const place of [navigator, Navigator.prototype])
          Reflect.deleteProperty(place, "share");
      });
      await button.click();
      await expect(findMessage(page)).toHaveText("Link copied.");
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address);
    });

    await test.step("a browser that cannot copy shows the address", async () => {
      await page.evaluate(() =>
        Object.defineProperty(navigator, "clipboard", { value: undefined }),
      );
      await button.click();
      await expect(findMessage(page)).toContainText(address);
    });
  });
});

function findMessage(page: Page) {
  const button = page.getByRole("button", { name: "Share" });
  return page.getByRole("listitem").filter({ has: button }).getByRole("status");
}
