import { expect } from "./expect.ts";
import {
  button,
  expectOpened,
  focusByKeyboard,
  menuItem,
  openGallery,
  openGalleryWithPausedClock,
  pressKeyOn,
  test,
} from "./gallery.ts";

// One worker serves the gallery to all tests of this file.
test.describe.configure({ mode: "default" });

test("dialogs keep and restore the focus, close, and scroll", async ({ page }) => {
  await openGallery(page);

  await test.step("a dialog keeps the focus inside, closes on Escape and restores the focus", async () => {
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

  await test.step("a press outside closes a dialog, but not an alert dialog", async () => {
    await pressKeyOn(page, "Rename…", "Space");
    await expectOpened(page, "dialog");
    await page.mouse.click(5, 5);
    await expect(page.getByRole("dialog")).toBeHidden();

    await pressKeyOn(page, "Delete…", "Space");
    const question = page.getByRole("alertdialog", { name: "Delete this draft?" });
    await expectOpened(page, "alertdialog");
    await page.mouse.click(5, 5);
    await expect(question).toBeVisible();
    // React Aria restores the focus before the next frame.
    await expect(question).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(question).toBeHidden();
  });

  await test.step("a long dialog scrolls with its close button in view", async () => {
    await pressKeyOn(page, "House rules", "Enter");
    const dialog = page.getByRole("dialog");

    await page.keyboard.press("End");

    await expect(dialog.getByText("Rule 24")).toBeInViewport();
    await expect(dialog.getByRole("button", { name: "Close" })).toBeInViewport();
  });
});

test("menus work with the keyboard and lead to dialogs, and tooltips show on focus and on hover", async ({
  page,
}) => {
  await openGallery(page);

  await test.step("arrow keys move in a menu and skip disabled items, and Enter activates", async () => {
    await pressKeyOn(page, "Story", "ArrowDown");
    await expect(menuItem(page, "Edit")).toBeFocused();

    await page.keyboard.press("ArrowDown");
    await expect(menuItem(page, "Copy the link")).toBeFocused();
    await page.keyboard.press("ArrowDown");
    await expect(menuItem(page, "Delete")).toBeFocused();
    await page.keyboard.press("Home");
    await page.keyboard.press("c");
    await expect(menuItem(page, "Copy the link")).toBeFocused();
    await page.keyboard.press("Enter");

    await expect(page.getByText("Last action: copied.")).toBeVisible();
    await expect(page.getByRole("menu")).toBeHidden();
    await expect(button(page, "Story")).toBeFocused();
  });

  await test.step("a menu item opens a dialog, and Escape moves the focus back to the menu's button", async () => {
    await pressKeyOn(page, "More for this story", "Enter");
    await expect(menuItem(page, "Share")).toBeFocused();
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Report this story" });
    await expect(dialog).toBeFocused();

    await page.keyboard.press("Escape");

    // By name, because the closing menu may still be visible with the same role.
    await expect(dialog).toBeHidden();
    await expect(button(page, "More for this story")).toBeFocused();
  });

  await test.step("a tooltip shows on focus, describes the element, and closes on Escape", async () => {
    await focusByKeyboard(page, "Use dark theme");

    const tooltip = page.getByRole("tooltip", { name: "Dark" });
    await expect(tooltip).toBeVisible();
    await expect(button(page, "Use dark theme")).toHaveAccessibleDescription("Dark");
    await page.keyboard.press("Escape");
    await expect(tooltip).toBeHidden();
    await expect(button(page, "Use dark theme")).toBeFocused();
  });

  await test.step("a tooltip is at most 200 pixels wide", async () => {
    // React Aria ignores the first pointer position, so move the mouse twice.
    await page.mouse.move(5, 5);
    await page.getByRole("link", { name: "The Glass Apiary" }).hover();

    await expect(page.getByRole("tooltip")).toBeVisible();

    expect((await page.getByRole("tooltip").boundingBox())?.width).toBeLessThanOrEqual(200);
  });
});

test("toasts close after their lifetime or by hand", async ({ page }) => {
  await openGalleryWithPausedClock(page);

  await test.step("a toast closes after its lifetime, which is paused while hovered", async () => {
    await button(page, "Info").click();
    const toast = page.getByText("Somebody joined the room.");

    await toast.hover();
    await page.clock.runFor(60_000);
    await expect(toast).toBeVisible();

    await page.mouse.move(5, 5);
    await page.clock.runFor(6_000);
    await expect(toast).toBeHidden();
  });

  await test.step("a toast is paused while focused, and restores the focus when closed", async () => {
    await pressKeyOn(page, "Success", "Enter");
    const toast = page.getByRole("alertdialog", { name: "Draft saved." });
    await expect(toast).toBeVisible();

    await page.keyboard.press("F6");
    await expect(page.getByRole("region", { name: "1 message" })).toBeFocused();
    await page.clock.runFor(60_000);
    await expect(toast).toBeVisible();

    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await expect(toast.getByRole("button", { name: "Close" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(toast).toBeHidden();
    await expect(button(page, "Success")).toBeFocused();
  });

  await test.step("an error toast stays until it is closed", async () => {
    await button(page, "Error").click();
    const toast = page.getByRole("alertdialog");
    await page.mouse.move(5, 5);

    await page.clock.runFor(600_000);

    await expect(toast.getByRole("alert")).toBeVisible();
    await toast.getByRole("button", { name: "Close" }).click();
    await expect(toast).toBeHidden();
  });
});
