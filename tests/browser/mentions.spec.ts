import type { Page } from "@playwright/test";

import { MAX_TEXT_LENGTH } from "#app/chat/message.ts";
import { addMessages } from "#tests/support/fill-room.ts";
import type { TestAccount } from "#tests/support/firebase.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test, type TestApp } from "./fixtures.ts";
import { expectLive, openRoomAs, ROOM_PATH, signInSender } from "./room.ts";
import { openAs } from "./sign-in.ts";

const findComposer = (page: Page) => page.getByPlaceholder("Type a message…");
const findList = (page: Page) => page.getByRole("listbox", { name: "People to mention" });
const findActive = (page: Page) => findList(page).getByRole("option", { selected: true });
const findMessages = (page: Page) => page.locator("#room article");
const findMention = (page: Page, text: string) =>
  findMessages(page).locator("bdi").getByText(text, { exact: true });

const PEOPLE = [
  "Ana Reyes",
  "Ana Maria",
  "José Núñez",
  "Tomas (Tom) Lund",
  "田中 さくら",
  "أنا سلمى",
];

/** Adds a message of each person, and opens the room. */
async function openTalk(page: Page, app: TestApp, person: TestAccount, people = PEOPLE) {
  const messages = people.map((displayName, index) => ({
    text: `Hello from ${displayName}`,
    uid: `sender${index}`,
    displayName,
  }));
  await addMessages(app.firebase.hosts, messages);
  await openAs(page, person, ROOM_PATH);
  await expectLive(page);
  await expect(findMessages(page)).toHaveCount(people.length);
}

test.describe("with JavaScript", () => {
  test("a name is chosen with the keyboard, and both browsers show it", async ({
    page,
    browser,
    app,
    person,
    addPerson,
  }) => {
    await openTalk(page, app, person);
    await using tomas = await openRoomAs(
      browser,
      app,
      await addPerson({ displayName: "Wren Ashdown" }),
    );
    const field = findComposer(page);
    await field.pressSequentially("Ask @");
    // Who wrote, the newest first, and who is here, without the user. Only some are shown.
    await expect(findList(page).getByRole("option")).toHaveText(PEOPLE.toReversed());
    await expect(field).toBeFocused();
    await expectAccessible(page);
    await field.pressSequentially("a");
    await expect(findList(page).getByRole("option")).toHaveText([
      "Ana Maria",
      "Ana Reyes",
      "Wren Ashdown",
    ]);

    await expect(findActive(page)).toHaveText("Ana Maria");
    await page.keyboard.press("ArrowUp");
    await expect(findActive(page)).toHaveText("Wren Ashdown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await expect(findActive(page)).toHaveText("Ana Reyes");
    const id = await findActive(page).getAttribute("id");
    await expect(field).toHaveAttribute("aria-activedescendant", String(id));
    await page.keyboard.press("Enter");
    await expect(field).toHaveValue("Ask @Ana Reyes ");
    await expect(findList(page)).toBeHidden();
    await expect(field).not.toHaveAttribute("aria-activedescendant");
    await expect(findMessages(page)).toHaveCount(PEOPLE.length);

    await page.keyboard.type("and @wre");
    await expect(findActive(page)).toHaveText("Wren Ashdown");
    await page.keyboard.press("Tab");
    await expect(field).toHaveValue("Ask @Ana Reyes and @Wren Ashdown ");
    await page.keyboard.press("ControlOrMeta+z");
    await expect(field).toHaveValue("Ask @Ana Reyes and @wre");
    await page.keyboard.press("ControlOrMeta+Shift+z");
    await page.keyboard.type("not @Nobody");
    await expect(findList(page)).toBeHidden();
    await page.keyboard.press("Enter");
    await expect(field).toHaveValue("");

    for (const shown of [page, tomas.page]) {
      await expect(findMention(shown, "@Ana Reyes")).toHaveCSS("font-weight", "600");
      await expect(findMention(shown, "@Nobody")).toHaveCount(0);
      await expect(findMessages(shown).last()).toContainText(
        "Ask @Ana Reyes and @Wren Ashdown not @Nobody",
      );
    }
    const own = await findColors(tomas.page, "@Wren Ashdown");
    expect(own).not.toEqual(await findColors(tomas.page, "@Ana Reyes"));
    expect(await findColors(page, "@Wren Ashdown")).toEqual(await findColors(page, "@Ana Reyes"));
    await expectAccessible(tomas.page, { within: "#room" });
    await expectAccessible(page, { within: "#room" });
    // It is no reply.
    await expect(tomas.page.getByText("replied to you")).toHaveCount(0);
  });

  test("the list follows what is typed, and leaves Enter and Escape to the field without a name", async ({
    page,
    app,
    person,
  }) => {
    await openTalk(page, app, person);
    const field = findComposer(page);

    await test.step("Escape closes only the list, and a press chooses", async () => {
      const room = page.getByRole("region", { name: "The room", exact: true });
      await field.pressSequentially("@jose");
      await expect(findActive(page)).toHaveText("José Núñez");
      await page.keyboard.press("Escape");
      await expect(findList(page)).toBeHidden();
      await expect(room).toBeVisible();
      await expect(field).toHaveValue("@jose");
      await page.keyboard.press("Backspace");
      await expect(field).toHaveValue("@jos");
      await expect(findList(page)).toBeHidden();

      await page.keyboard.type(" (@nun");
      await findList(page).getByRole("option", { name: "José Núñez" }).click();
      await expect(field).toHaveValue("@jos (@José Núñez ");
      await expect(field).toBeFocused();
      await expect(findList(page)).toBeHidden();
      await page.keyboard.type("ana@an");
      await expect(findList(page)).toBeHidden();

      await field.fill("");
      await field.pressSequentially("@");
      await expect(findList(page)).toBeVisible();
      const list = await findList(page).boundingBox();
      const box = await field.boundingBox();
      if (!list || !box) throw new Error("The list is not shown");
      expect(list.y + list.height).toBeLessThanOrEqual(box.y);
      // A press on the selected name.
      await findActive(page).click();
      await expect(field).toHaveValue("@أنا سلمى ");
    });

    await test.step("keys of a composition choose nothing", async () => {
      const input = await page.context().newCDPSession(page);
      await field.fill("");
      await input.send("Input.imeSetComposition", {
        text: "@an",
        selectionStart: 3,
        selectionEnd: 3,
      });
      await expect(field).toHaveValue("@an");
      await expect(findList(page)).toBeHidden();
      await input.send("Input.insertText", { text: "" });
      await field.fill("");
      await field.pressSequentially("@");
      await expect(findList(page)).toBeVisible();
      await input.send("Input.imeSetComposition", {
        text: "田",
        selectionStart: 1,
        selectionEnd: 1,
      });
      await expect(findActive(page)).toHaveText("田中 さくら");
      await input.send("Input.dispatchKeyEvent", {
        type: "rawKeyDown",
        key: "Enter",
        code: "Enter",
        windowsVirtualKeyCode: 229,
      });
      await expect(field).toHaveValue("@田");
      await input.send("Input.insertText", { text: "田" });
      await expect(findActive(page)).toHaveText("田中 さくら");
      await page.keyboard.press("Enter");
      await expect(field).toHaveValue("@田中 さくら ");
    });

    await test.step("the list follows the caret, and closes where no name fits", async () => {
      await field.fill("");
      await field.pressSequentially("@ana");
      await expect(findList(page).getByRole("option")).toHaveText(["Ana Maria", "Ana Reyes"]);
      await page.keyboard.press("ArrowLeft");
      await page.keyboard.press("ArrowLeft");
      await page.keyboard.press("ArrowLeft");
      await expect(findList(page).getByRole("option")).toHaveCount(PEOPLE.length);
      await page.keyboard.press("Home");
      await expect(findList(page)).toBeHidden();
      await page.keyboard.press("End");
      await page.keyboard.type(" reyes");
      await expect(findList(page).getByRole("option")).toHaveText(["Ana Reyes"]);
      // The name is complete.
      await page.keyboard.type(" ");
      await expect(findList(page)).toBeHidden();
      await page.keyboard.press("Shift+Enter");
      await page.keyboard.type("@tom");
      await expect(findActive(page)).toHaveText("Tomas (Tom) Lund");
      await page.getByRole("log").click({ position: { x: 4, y: 4 } });
      await expect(findList(page)).toBeHidden();
      await expect(field).toHaveValue("@ana reyes \n@tom");
      await page.getByRole("button", { name: "Send", exact: true }).click();
      await expect(findMention(page, "@ana reyes")).toBeVisible();
      await expect(findMessages(page).last()).toContainText("@tom");
    });

    await test.step("Enter sends a name that is complete or was pasted", async () => {
      const search = page.getByRole("searchbox");
      await search.fill("@Ana");
      await search.press("ControlOrMeta+a");
      await search.press("ControlOrMeta+c");
      await field.press("ControlOrMeta+v");
      await expect(field).toHaveValue("@Ana");
      await page.keyboard.press("Enter");
      await expect(findMessages(page).last()).toContainText("@Ana");

      await field.pressSequentially("@José Núñe");
      await expect(findActive(page)).toHaveText("José Núñez");
      await page.keyboard.type("z");
      await expect(findList(page)).toBeHidden();
      await page.keyboard.press("Enter");
      await expect(findMention(page, "@José Núñez")).toBeVisible();
    });

    await test.step("a name that makes the message too long is counted", async () => {
      await field.fill(`${"x".repeat(MAX_TEXT_LENGTH - 4)} `);
      await page.keyboard.press("End");
      await field.press("@");
      await page.keyboard.type("an");
      await expect(findActive(page)).toHaveText("Ana Maria");
      await page.keyboard.press("Enter");
      await expect(field).toHaveValue(/ @Ana Maria $/);
      await expect(page.getByText("4,008 of 4,000 characters")).toBeVisible();
    });
  });

  test("an @ that is typed while a message is rendered stays", async ({ page, app, person }) => {
    await openTalk(page, app, person);
    // React runs the effects of a slow render in a later task, so the key's events come before them.
    await page.evaluate(() => {
      // oxlint-disable-next-line typescript/unbound-method -- it is called with its node below
      const { removeChild } = Node.prototype;
      Node.prototype.removeChild = function <Child extends Node>(child: Child): Child {
        if (child.textContent === "Sending…") {
          console.log("rendering");
          const end = performance.now() + 500;
          while (performance.now() < end);
        }
        return removeChild.call<Node, [Child], Child>(this, child);
      };
    });
    const rendering = page.waitForEvent("console", (line) => line.text() === "rendering");
    await findComposer(page).fill("Hello");
    await page.keyboard.press("Enter");
    await rendering;
    await page.keyboard.press("@");
    await expect(findList(page)).toBeVisible();
    await expect(findComposer(page)).toHaveValue("@");
  });

  test("similar names are told apart, and a message that is edited mentions nobody who is hidden", async ({
    page,
    app,
    person,
  }) => {
    await openTalk(page, app, person, [...PEOPLE, "AnaReyes"]);

    await test.step("names that differ only in their spaces are different options", async () => {
      await findComposer(page).pressSequentially("@ana");
      const options = findList(page).getByRole("option");
      await expect(options).toHaveText(["AnaReyes", "Ana Maria", "Ana Reyes"]);
      const ids = await options.evaluateAll((elements) => elements.map(({ id }) => id));
      expect(new Set(ids).size).toBe(3);
      await options.nth(2).click();
      await expect(findComposer(page)).toHaveValue("@Ana Reyes ");
    });

    await test.step("a hidden person's name is plain", async () => {
      await findComposer(page).fill("@Ana Reyes and @Ana Maria");
      await page.keyboard.press("Enter");
      await expect(findMention(page, "@Ana Maria")).toBeVisible();
      const ana = page.getByRole("listitem").filter({ hasText: "Hello from Ana Maria" });
      await ana.getByRole("button", { name: /^Actions for / }).click();
      await page.getByRole("menuitem", { name: "Hide this person" }).click();
      await expect(findMention(page, "@Ana Reyes")).toBeVisible();
      await expect(findMention(page, "@Ana Maria")).toHaveCount(0);
    });

    await test.step("the editor of a message suggests the others", async () => {
      const own = page.getByRole("listitem").filter({ hasText: "@Ana Reyes and @Ana Maria" });
      await own.getByRole("button", { name: /^Actions for / }).click();
      await page.getByRole("menuitem", { name: "Edit" }).click();
      const field = page.getByRole("textbox", { name: "Edit message" });
      await expect(field).toBeFocused();
      await page.keyboard.type(" @a");
      await expect(findList(page).getByRole("option")).toHaveText(["AnaReyes", "Ana Reyes"]);
      await page.keyboard.press("Escape");
      await expect(field).toBeVisible();
      await page.keyboard.type(" @jo");
      await page.keyboard.press("Enter");
      await expect(field).toHaveValue("@Ana Reyes and @Ana Maria @a @José Núñez ");
      await page.keyboard.press("Enter");
      await expect(findMention(page, "@José Núñez")).toBeVisible();
    });
  });
});

test.describe("on a phone", () => {
  // The height that an on-screen keyboard leaves.
  test.use({
    hasTouch: true,
    isMobile: true,
    viewport: { width: 360, height: 380 },
  });

  test("the list stands above the field, and a tap keeps the keyboard", async ({
    page,
    app,
    person,
  }) => {
    await openTalk(page, app, person);
    const field = findComposer(page);
    await field.tap();
    await field.pressSequentially("@");
    const list = await findList(page).boundingBox();
    const box = await field.boundingBox();
    if (!list || !box) throw new Error("The list is not shown");
    expect(list.y).toBeGreaterThanOrEqual(0);
    expect(list.y + list.height).toBeLessThanOrEqual(box.y);
    await findList(page).getByRole("option").first().tap();
    await expect(field).toHaveValue("@أنا سلمى ");
    await expect(field).toBeFocused();
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("mentions of people who wrote are shown as names", async ({
    page,
    app,
    person,
    addPerson,
  }) => {
    await using ana = await signInSender(app, await addPerson({ displayName: "Ana Reyes" }));
    await ana.send("<b>@Robin Vale</b>, @Ana Reyes and @Nobody: ana@Ana");
    await openAs(page, person, "/home");
    await page.goto("/home#room");
    await expect(findMessages(page).last()).toContainText(
      "<b>@Robin Vale</b>, @Ana Reyes and @Nobody: ana@Ana",
    );
    await expect(findMention(page, "@Ana Reyes")).toHaveCSS("font-weight", "600");
    await expect(findMention(page, "@Nobody")).toHaveCount(0);
    expect(await findColors(page, "@Robin Vale")).not.toEqual(await findColors(page, "@Ana Reyes"));
  });
});

async function findColors(page: Page, text: string): Promise<string[]> {
  return await findMention(page, text).evaluate((element) => {
    const { backgroundColor, color } = getComputedStyle(element);
    return [backgroundColor, color];
  });
}
