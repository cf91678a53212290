import { expectAccessible } from "./axe.ts";
import { expect } from "./expect.ts";
import {
  button,
  expectOpened,
  focusByKeyboard,
  menuItem,
  openGallery,
  pressKeyOn,
  test,
} from "./gallery.ts";

/**
 * Menus and tooltips are rendered outside of all landmarks. That is accessible: menus have the focus, and tooltips
 * describe the focused element.
 */
const OVERLAYS = { except: ["region"] };

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
      await expectOpened(page, "dialog");
      await expectAccessible(page, { within: "[role=dialog]" });
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toBeHidden();
    });

    await test.step("a menu is accessible", async () => {
      await pressKeyOn(page, "Story", "Enter");
      await expectOpened(page, "menu");
      await expectAccessible(page, { ...OVERLAYS, within: "[role=menu]" });
      expect(await height(menuItem(page, "Edit"))).toBeGreaterThanOrEqual(44);
      await page.keyboard.press("Escape");
      await expect(page.getByRole("menu")).toBeHidden();
    });

    await test.step("buttons, fields and items have their heights", async () => {
      expect(await height(button(page, "More for this story"))).toBe(44);
      expect(await height(button(page, "Paragraph"))).toBe(36);
      expect(await height(page.getByLabel("Paper", { exact: true }))).toBe(46);
      const tab = page.getByRole("tab", { name: "Drafts" }).first();
      expect(await height(tab)).toBeGreaterThanOrEqual(44);
      const toggle = page.locator("label", { hasText: "Sounds" });
      expect(await height(toggle)).toBeGreaterThanOrEqual(44);
    });

    await test.step("a tooltip and a toast are accessible, and the toast has its width", async () => {
      await button(page, "Error").press("Enter");
      await focusByKeyboard(page, "Use dark theme");
      await expectOpened(page, "tooltip");
      const within = "[role=tooltip], [role=alertdialog]";
      await expectAccessible(page, { ...OVERLAYS, within });

      const toast = page.getByRole("alertdialog");
      const box = await toast.boundingBox();
      expect(box?.width).toBe(Math.min(400, width - 32));
      expect(box?.x).toBe(width - 16 - Math.min(400, width - 32));
      await page.keyboard.press("Escape");
      await toast.getByRole("button", { name: "Close" }).click();
      await expect(toast).toBeHidden();
    });
  }
});

test("the keyboard changes a select, tabs, a checkbox and a switch", async ({ page }) => {
  await openGallery(page);

  await test.step("arrow keys and letters change a select", async () => {
    const select = page.getByLabel("Paper", { exact: true });
    await select.focus();
    await page.keyboard.press("ArrowUp");
    await expect(select).toHaveValue("white");
    await page.keyboard.press("n");
    await expect(select).toHaveValue("night");
  });

  await test.step("arrow keys select tabs and skip the disabled one, and Tab goes into the panel", async () => {
    const tabs = page.getByRole("tablist", { name: "Your library" });
    await tabs.getByRole("tab", { name: "Stories" }).focus();
    await page.keyboard.press("ArrowRight");
    await expect(tabs.getByRole("tab", { name: "Drafts" })).toBeFocused();
    await expect(page.getByText("Nothing here yet. Start with a first line.")).toBeVisible();
    await page.keyboard.press("ArrowRight");
    await expect(tabs.getByRole("tab", { name: "Stories" })).toBeFocused();
    await page.keyboard.press("Tab");
    await expect(page.getByRole("tabpanel").first()).toBeFocused();
  });

  await test.step("Space toggles a checkbox and a switch", async () => {
    const checkbox = page.getByRole("checkbox", { name: "Send me a letter every week" });
    const toggle = page.getByRole("switch", { name: "Sounds" });
    await checkbox.press("Space");
    await expect(checkbox).toBeChecked();
    await checkbox.press("Space");
    await expect(checkbox).not.toBeChecked();
    await toggle.press("Space");
    await expect(toggle).toBeChecked();
  });

  await test.step("a checkbox is indeterminate when only some of its checkboxes are ticked", async () => {
    const all = page.getByRole("checkbox", { name: "Everything" });
    await expect(all).toBeChecked({ indeterminate: true });
    await page.getByText("Quests").click();
    await expect(all).toBeChecked();
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("a form with all controls can be filled in and submitted, and has no button that needs JavaScript", async ({
    page,
  }) => {
    await page.goto("/plain-form.html");
    await expect(page.getByRole("button", { name: "Save", exact: true })).toBeVisible();
    await expect(page.getByRole("button", { name: "Explain" })).toBeHidden();
    await expect(page.getByRole("button", { name: "More" })).toBeHidden();
    await page.getByText("Send me a letter every week").click();
    await page.getByText("Save my reading position").click();
    await page.getByText("Sounds").click();
    await page.getByLabel("Paper").selectOption("night");
    await expect(page.getByRole("switch", { name: "Sounds" })).toBeChecked();

    await page.getByRole("button", { name: "Save", exact: true }).click();

    await expect(page).toHaveURL(
      /\?name=Robin\+Vale&paper=night&news=weekly&sound=on&intent=save$/,
    );
  });
});

test("choices made before hydration are kept, and can be reset", async ({ page }) => {
  let releaseScripts = () => {};
  const scripts = new Promise<void>((resolve) => {
    releaseScripts = resolve;
  });
  await page.route("**/assets/plain-form-*.js", async (route) => {
    await scripts;
    await route.continue();
  });
  await page.goto("/plain-form.html", { waitUntil: "commit" });
  const news = page.getByRole("checkbox", { name: "Send me a letter every week" });
  const sound = page.getByRole("switch", { name: "Sounds" });
  await page.getByText("Send me a letter every week").click();
  await page.getByText("Sounds").click();
  await page.getByLabel("Paper").selectOption("night");

  releaseScripts();
  await expect(page.locator("#root")).toHaveAttribute("data-hydrated");

  // Hovering renders the components again.
  await page.getByText("Send me a letter every week").hover();
  await expect(news).toBeChecked();
  await expect(sound).toBeChecked();
  await expect(page.getByLabel("Paper")).toHaveValue("night");

  await sound.press("Space");
  await expect(sound).not.toBeChecked();
  await page.getByRole("button", { name: "Reset" }).click();
  await expect(news).not.toBeChecked();
});

async function height(locator: ReturnType<typeof menuItem>) {
  return (await locator.boundingBox())?.height;
}
