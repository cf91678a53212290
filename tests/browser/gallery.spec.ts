import { expect } from "@playwright/test";

import { expectAccessible } from "./axe.ts";
import {
  expectOpened,
  focusByKeyboard,
  menuItem,
  button,
  openGallery,
  pressKeyOn,
  test,
} from "./gallery.ts";

/**
 * Menus and tooltips hang over the page, in none of its landmarks. Nobody looks for them by one: the first
 * has the focus, the second describes what has it.
 */
const OVERLAYS = { except: ["region"] };

for (const width of [360, 1280]) {
  test.describe(`at ${width} pixels`, () => {
    test.use({ viewport: { width, height: 800 } });
    // axe reads every part twice, which takes a busy machine long.
    test.describe.configure({ timeout: 90_000 });

    test("every part is accessible and nothing scrolls sideways", async ({ page }) => {
      await openGallery(page);

      await expectAccessible(page);

      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    });

    test("a dialog is accessible", async ({ page }) => {
      await openGallery(page);
      await pressKeyOn(page, "Rename…", "Enter");
      await expectOpened(page, "dialog");

      await expectAccessible(page);
    });

    test("a menu is accessible", async ({ page }) => {
      await openGallery(page);
      await pressKeyOn(page, "Story", "Enter");
      await expectOpened(page, "menu");

      await expectAccessible(page, OVERLAYS);
    });

    test("a tooltip and a toast are accessible", async ({ page }) => {
      await openGallery(page);
      await button(page, "Error").press("Enter");
      await focusByKeyboard(page, "Use dark theme");
      await expectOpened(page, "tooltip");

      await expectAccessible(page, OVERLAYS);
    });

    test("a toast is as wide as it may be, and inside the window", async ({ page }) => {
      await openGallery(page);

      await button(page, "Error").click();

      const box = await page.getByRole("alertdialog").boundingBox();
      expect(box?.width).toBe(Math.min(400, width - 32));
      expect(box?.x).toBe(width - 16 - Math.min(400, width - 32));
    });
  });
}

test("a select changes by its arrows and letters", async ({ page }) => {
  await openGallery(page);
  const select = page.getByLabel("Paper", { exact: true });
  await select.focus();

  await page.keyboard.press("ArrowUp");
  await expect(select).toHaveValue("white");
  await page.keyboard.press("n");
  await expect(select).toHaveValue("night");
});

test("arrows choose tabs around the disabled one, and Tab goes into the panel", async ({
  page,
}) => {
  await openGallery(page);
  const tabs = page.getByRole("tablist", { name: "Your things" });
  await tabs.getByRole("tab", { name: "Stories" }).focus();

  await page.keyboard.press("ArrowRight");
  await expect(tabs.getByRole("tab", { name: "Drafts" })).toBeFocused();
  await expect(page.getByText("Nothing here yet. Start with a first line.")).toBeVisible();
  await page.keyboard.press("ArrowRight");
  await expect(tabs.getByRole("tab", { name: "Stories" })).toBeFocused();

  await page.keyboard.press("Tab");
  await expect(page.getByRole("tabpanel").first()).toBeFocused();
});

test("Space ticks a checkbox and turns a switch", async ({ page }) => {
  await openGallery(page);
  const checkbox = page.getByRole("checkbox", { name: "Send me a letter every week" });
  const toggle = page.getByRole("switch", { name: "Sounds" });

  await checkbox.press("Space");
  await expect(checkbox).toBeChecked();
  await checkbox.press("Space");
  await expect(checkbox).not.toBeChecked();

  await toggle.press("Space");
  await expect(toggle).toBeChecked();
});

test("a checkbox for several says when only some are ticked", async ({ page }) => {
  await openGallery(page);
  const all = page.getByRole("checkbox", { name: "Everything" });
  await expect(all).toBeChecked({ indeterminate: true });

  await page.getByText("Quests").click();

  await expect(all).toBeChecked();
});

test("keys, fields and items are as high as they must be", async ({ page }) => {
  await openGallery(page);
  await pressKeyOn(page, "Story", "Enter");
  await expectOpened(page, "menu");

  expect(await height(menuItem(page, "Edit"))).toBeGreaterThanOrEqual(44);
  await page.keyboard.press("Escape");
  expect(await height(button(page, "More for this story"))).toBe(44);
  expect(await height(button(page, "Paragraph"))).toBe(36);
  expect(await height(page.getByLabel("Paper", { exact: true }))).toBe(46);
  expect(await height(page.getByRole("tab", { name: "Drafts" }).first())).toBeGreaterThanOrEqual(
    44,
  );
  expect(await height(page.locator("label", { hasText: "Sounds" }))).toBeGreaterThanOrEqual(44);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("a form of all controls is filled in and sent", async ({ page }) => {
    await page.goto("/plain-form.html");
    await page.getByText("Send me a letter every week").click();
    await page.getByText("Keep my place in a story").click();
    await page.getByText("Sounds").click();
    await page.getByLabel("Paper").selectOption("night");
    await expect(page.getByRole("switch", { name: "Sounds" })).toBeChecked();

    await page.getByRole("button", { name: "Save" }).click();

    await expect(page).toHaveURL(
      /\?name=Robin\+Vale&paper=night&news=weekly&sound=on&intent=save$/,
    );
  });

  test("keys that could do nothing are not shown", async ({ page }) => {
    await page.goto("/plain-form.html");

    await expect(page.getByRole("button", { name: "Save" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Explain" })).toBeHidden();
    await expect(page.getByRole("button", { name: "More" })).toBeHidden();
  });
});

test("what was chosen before scripts ran is kept, and can be taken back", async ({ page }) => {
  let letScriptsIn = () => {};
  const scripts = new Promise<void>((resolve) => {
    letScriptsIn = resolve;
  });
  await page.route("**/plain-form-client.tsx", async (route) => {
    await scripts;
    await route.continue();
  });
  await page.goto("/plain-form.html", { waitUntil: "commit" });
  const news = page.getByRole("checkbox", { name: "Send me a letter every week" });
  const sound = page.getByRole("switch", { name: "Sounds" });
  await page.getByText("Send me a letter every week").click();
  await page.getByText("Sounds").click();
  await page.getByLabel("Paper").selectOption("night");

  letScriptsIn();
  await expect(page.locator("#root")).toHaveAttribute("data-hydrated");

  // Everything is rendered anew when it is pointed at.
  await page.getByText("Send me a letter every week").hover();
  await expect(news).toBeChecked();
  await expect(sound).toBeChecked();
  await expect(page.getByLabel("Paper")).toHaveValue("night");

  await sound.press("Space");
  await expect(sound).not.toBeChecked();
  await page.getByRole("button", { name: "As before" }).click();
  await expect(news).not.toBeChecked();
});

async function height(locator: ReturnType<typeof menuItem>) {
  return (await locator.boundingBox())?.height;
}
