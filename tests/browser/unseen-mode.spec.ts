import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { readDatabase } from "#tests/support/database-values.ts";
import { holdScript } from "./reader.ts";
import { expectLive, openRoomAs } from "./room.ts";
import { openAs, startSession } from "./sign-in.ts";

test.describe("with JavaScript", () => {
  test("saves the switch at once, confirms it for six seconds, and changes the open room", async ({
    page,
    browser,
    app,
    person,
  }) => {
    await using other = await openRoomAs(browser, app, person);
    await page.clock.install();
    await openAs(page, person, "/profile?tab=data");
    const control = page.getByRole("switch", { name: "Don't show when I'm here or typing" });
    const saved = page.getByRole("status").filter({ hasText: "Saved." });
    await expect(page.getByRole("button", { name: "Save", exact: true })).toBeHidden();

    await page.getByText("Don't show when I'm here or typing").click();

    await expect(saved).toBeVisible();
    await expect(control).toBeChecked();
    await expect(control).toBeFocused();
    await expect(other.page.getByText("Others can't see that you're here.")).toBeVisible();
    expect(await readDatabase(app, `status/${person.localId}`)).toBeNull();
    await expectAccessible(page);
    await page.clock.fastForward(6000);
    await expect(saved).toBeHidden();

    await control.press("Space");
    await expect(saved).toBeVisible();
    await expect(control).not.toBeChecked();
    await expect(other.page.getByText("Others can't see that you're here.")).toBeHidden();
    await expectLive(other.page);
  });

  test("saves a switch that was changed before hydration", async ({ page, app, person }) => {
    await startSession(page, person);
    const load = await holdScript(page, "profile");
    await page.goto("/profile?tab=data", { waitUntil: "commit" });
    await page.getByText("Don't show when I'm here or typing").click();

    load();

    await expect(page.getByText("Saved.", { exact: true })).toBeVisible();
    await expect(
      page.getByRole("switch", { name: "Don't show when I'm here or typing" }),
    ).toBeChecked();
    expect(await readDatabase(app, `unseen/${person.localId}`)).toBe(true);
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("saves each switch with a button", async ({ page, app, person }) => {
    await openAs(page, person, "/profile?tab=data");

    for (const [name, setting, isOn] of [
      ["Don't show when I'm here or typing", "unseen", true],
      ["Don't show when I'm here or typing", "unseen", false],
      ["Leave me out of public counts", "uncounted", true],
    ] as const) {
      const control = page.getByRole("switch", { name });
      await page.getByText(name).click();
      const form = page.locator("form", { has: control });
      await form.getByRole("button", { name: "Save", exact: true }).click();
      await expect(page.getByText("Saved.", { exact: true })).toBeVisible();
      await expect(control).toBeChecked({ checked: isOn });
      expect(await readDatabase(app, `${setting}/${person.localId}`)).toBe(isOn);
    }
  });
});
