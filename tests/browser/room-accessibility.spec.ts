import type { Page } from "@playwright/test";

import { changeDocument } from "#tests/support/documents.ts";
import { fillRoom } from "#tests/support/fill-room.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { expectLive, findSmallControls, ROOM_PATH, sendMessage } from "./room.ts";
import { openAs } from "./sign-in.ts";

const findMessage = (page: Page, text: string) =>
  page.locator("article", { has: page.getByText(text, { exact: true }) });

test("moves through the messages with the keyboard, as one stop of the Tab key", async ({
  page,
  person,
  app,
}) => {
  const lines = Array.from({ length: 60 }, (_, index) => `Line ${index + 1}`);
  await fillRoom(app.firebase, person, 60, lines.with(58, "Line 59 http://x.example"));
  await openAs(page, person, ROOM_PATH);
  await expectLive(page);
  const composer = page.getByPlaceholder("Type a message…");
  await composer.fill("Half wri");

  await composer.press("Shift+Tab");
  await expect(findMessage(page, "Line 60")).toBeFocused();
  await page.keyboard.press("ArrowUp");
  const withLink = findMessage(page, "Line 59 http://x.example");
  await expect(withLink).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "http://x.example" })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(composer).toBeFocused();

  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Home");
  await expect(findMessage(page, "Line 11")).toBeFocused();
  await expect(findMessage(page, "Line 11")).toBeInViewport();
  await page.keyboard.press("ArrowDown");
  await expect(findMessage(page, "Line 12")).toBeFocused();
  await page.keyboard.press("End");
  await expect(findMessage(page, "Line 60")).toBeFocused();

  for (const key of ["Enter", "ContextMenu", "Shift+F10"]) {
    await page.keyboard.press(key);
    await expect(page.getByRole("menuitem", { name: "Reply" }), key).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(findMessage(page, "Line 60")).toBeFocused();
  }
  await expectAccessible(page, { within: "#room" });
  await page.keyboard.press("Escape");
  await expect(composer).toBeFocused();
  await expect(composer).toHaveValue("Half wri");

  const feed = page.getByRole("log");
  const getTop = () => feed.evaluate(({ scrollTop }) => scrollTop);
  const atEnd = await getTop();
  // The newest message can have the focus, the others cannot.
  await findMessage(page, "Line 60").click();
  await page.keyboard.press("ArrowUp");
  await expect.poll(getTop).toBeLessThan(atEnd);
  await expect(withLink).not.toBeFocused();

  await test.step("with the focus on the feed itself, the arrow keys move to the messages in view", async () => {
    await feed.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await feed.focus();
    await page.keyboard.press("ArrowUp");
    await expect(findMessage(page, "Line 60")).toBeFocused();
    await page.keyboard.press("Home");
    await expect(findMessage(page, "Line 11")).toBeFocused();
    await feed.focus();
    await page.keyboard.press("ArrowDown");
    await expect(findMessage(page, "Line 11")).toBeFocused();
  });
});

test("every control of the room is at least 44 pixels high and wide", async ({
  page,
  person,
  addPerson,
  app,
  allowError,
}) => {
  allowError(/status of 403/);
  const tomas = await addPerson({ displayName: "Tomas" });
  await fillRoom(app.firebase, tomas, 60);
  const path = `users/${person.localId}/hidden/${tomas.localId}`;
  await changeDocument(app.firebase.hosts, path, { name: { stringValue: "Tomas" } });
  await page.route("**/rooms/general/messages", (route) =>
    route.fulfill({
      status: 403,
      json: { status: "error", reason: "denied", id: "x", text: "x", message: "Not sent." },
    }),
  );
  await openAs(page, person, ROOM_PATH);
  await expectLive(page);
  await sendMessage(page, "Refused");
  await expect(page.getByRole("button", { name: "Retry" })).toBeVisible();
  await expect(page.getByText("50 hidden messages")).toBeVisible();
  await page.getByRole("button", { name: /here$/ }).click();
  await page.getByText("Don't show when I'm here or typing").click();
  expect(await findSmallControls(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Change", exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await expect(page.getByText("Message 60", { exact: true })).toBeVisible();
  expect(await findSmallControls(page)).toEqual([]);
  await page
    .getByRole("button", { name: /^Actions for Tomas's message/ })
    .last()
    .click();
  await page.getByRole("menuitem", { name: "Report" }).click();
  expect(await findSmallControls(page)).toEqual([]);
});
