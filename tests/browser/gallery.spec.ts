import { expectAccessible } from "./axe.ts";
import { expect } from "./expect.ts";
import { button, menuItem, openGallery, pressKeyOn, test } from "./gallery.ts";

/** Menus are rendered outside of all landmarks. That is accessible, because they have the focus. */
const MENU = { except: ["region"], within: "[role=menu]" };

// One worker serves the gallery to all tests of this file.
test.describe.configure({ mode: "default" });

test("every component and overlay is accessible, has its height and fits in the window", async ({
  page,
}) => {
  // axe checks every component twice at each width, which is slow on a busy machine.
  test.slow();
  await openGallery(page);
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await test.step(`at ${width} pixels, every component is accessible and nothing scrolls sideways`, async () => {
      await expectAccessible(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    });

    await test.step("a dialog is accessible", async () => {
      await pressKeyOn(page, "Rename…", "Enter");
      await expect(page.getByRole("dialog")).toBeFocused();
      await expectAccessible(page, { within: "[role=dialog]" });
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toBeHidden();
    });

    await test.step("a menu is accessible", async () => {
      await pressKeyOn(page, "Story", "Enter");
      await expect(page.getByRole("menu")).toBeVisible();
      await expectAccessible(page, MENU);
      expect(await height(menuItem(page, "Edit"))).toBeGreaterThanOrEqual(44);
      await page.keyboard.press("Escape");
      await expect(page.getByRole("menu")).toBeHidden();
    });

    await test.step("buttons and fields have their heights", async () => {
      expect(await height(button(page, "Publish"))).toBe(44);
      expect(await height(page.getByLabel("E-mail"))).toBe(46);
      const toggle = page.locator("label", { hasText: "Sounds" });
      expect(await height(toggle)).toBeGreaterThanOrEqual(44);
    });
  }
});

test("dialogs, menus and switches work by keyboard, and keep and restore the focus", async ({
  page,
}) => {
  await openGallery(page);

  await test.step("the focus stays inside, and Escape closes the dialog and restores the focus", async () => {
    await pressKeyOn(page, "Rename…", "Enter");
    const dialog = page.getByRole("dialog", { name: "Rename this draft" });
    await expect(dialog).toBeFocused();

    for (const name of ["Close", "Title", "Cancel", "Rename", "Close"]) {
      await page.keyboard.press("Tab");
      await expect(page.locator(":focus")).toHaveAccessibleName(name);
    }
    await page.keyboard.press("Shift+Tab");
    await expect(dialog.getByRole("button", { name: "Rename" })).toBeFocused();

    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expect(button(page, "Rename…")).toBeFocused();
  });

  await test.step("a press outside closes it", async () => {
    await pressKeyOn(page, "Rename…", "Space");
    await expect(page.getByRole("dialog")).toBeFocused();
    await page.mouse.click(5, 5);
    await expect(page.getByRole("dialog")).toBeHidden();
  });

  await test.step("a long dialog scrolls with its close button in view", async () => {
    await pressKeyOn(page, "House rules", "Enter");
    const dialog = page.getByRole("dialog");
    await expect(dialog).toBeFocused();

    await page.keyboard.press("End");

    await expect(dialog.getByText("Rule 24")).toBeInViewport();
    await expect(dialog.getByRole("button", { name: "Close" })).toBeInViewport();
  });

  await test.step("arrow keys and letters move in a menu, and Enter activates", async () => {
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();
    await button(page, "Story").click();
    await expect(menuItem(page, "Edit")).toBeFocused();

    await page.keyboard.press("ArrowDown");
    await expect(menuItem(page, "Copy the link")).toBeFocused();
    await page.keyboard.press("End");
    await expect(menuItem(page, "Delete")).toBeFocused();
    await page.keyboard.press("c");
    await expect(menuItem(page, "Copy the link")).toBeFocused();
    await page.keyboard.press("Enter");

    await expect(page.getByText("Last action: copied.")).toBeVisible();
    await expect(page.getByRole("menu")).toBeHidden();
    await expect(button(page, "Story")).toBeFocused();
  });

  await test.step("Space toggles a switch", async () => {
    const toggle = page.getByRole("switch", { name: "Sounds" });

    await toggle.press("Space");

    await expect(toggle).toBeChecked();
  });
});

async function height(locator: ReturnType<typeof menuItem>) {
  return (await locator.boundingBox())?.height;
}
