import type { Page } from "@playwright/test";

import { changeDocument } from "#tests/support/documents.ts";
import { fillRoom } from "#tests/support/fill-room.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { expectLive, openRoom, ROOM_PATH, sendMessage, signInSender } from "./room.ts";
import { openAs } from "./sign-in.ts";

test.use({ javaScriptEnabled: true });

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
    await expect(page.getByRole("menuitem", { name: "Copy" }), key).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(findMessage(page, "Line 60")).toBeFocused();
  }
  await expectAccessible(page, { within: "#room" });
  await page.keyboard.press("Escape");
  await expect(composer).toBeFocused();
  await expect(composer).toHaveValue("Half wri");
});

test("scrolls with the arrow keys after a click into the feed", async ({ page, person, app }) => {
  await fillRoom(app.firebase, person, 60);
  await openAs(page, person, ROOM_PATH);
  await expectLive(page);
  const feed = page.getByRole("log");
  const getTop = () => feed.evaluate(({ scrollTop }) => scrollTop);
  const atEnd = await getTop();

  // The newest message can have the focus, the others cannot.
  await findMessage(page, "Message 60").click();
  await page.keyboard.press("ArrowUp");
  await expect.poll(getTop).toBeLessThan(atEnd);
  await expect(findMessage(page, "Message 59")).not.toBeFocused();
});

test("announces each new message once, and no earlier ones", async ({
  page,
  person,
  addPerson,
  app,
}) => {
  await fillRoom(app.firebase, person, 60);
  await using tomas = await signInSender(app, await addPerson({ displayName: "Tomas" }));
  await page.addInitScript(() => {
    const announced: string[] = [];
    Object.assign(window, { announced });
    const isLive = (node: Node | null) =>
      (node instanceof Element ? node : node?.parentElement)
        ?.closest("[aria-live], [role=status], [role=alert], [role=log]")
        ?.matches(":not([aria-live=off])");
    new MutationObserver((records) => {
      for (const { target, addedNodes } of records) {
        if (!isLive(target)) continue;
        const texts = [...addedNodes, target].map(({ textContent }) => textContent?.trim() ?? "");
        announced.push(texts[0] ?? "");
      }
    }).observe(document, { childList: true, characterData: true, subtree: true });
  });
  await openAs(page, person, ROOM_PATH);
  await expectLive(page);
  await expect(page.getByRole("log")).toHaveAttribute("aria-live", "off");
  const getAnnounced = async () => {
    const all = await page.evaluate<string[]>("announced");
    return all.filter((text) => /Message|Hello|Me too/.test(text));
  };

  await page.getByRole("button", { name: "Show earlier messages" }).click();
  await expect(page.locator("article")).toHaveCount(60);
  await tomas.send("Hello");
  await expect(findMessage(page, "Hello")).toBeVisible();
  await sendMessage(page, "Me too");
  await expect(page.locator("article time")).toHaveCount(62);

  await expect
    .poll(getAnnounced)
    .toEqual([
      expect.stringMatching(/^Tomas, Hello, \d+:\d\d/),
      expect.stringMatching(/^Robin Vale, Me too, \d+:\d\d/),
    ]);
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
  await page.goto("/home");
  await openRoom(page);
  await expectLive(page);
  expect(await findSmallControls(page)).toEqual([]);

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

test.describe("with forced colours", () => {
  test.use({ forcedColors: "active" });

  test("outlines the bubbles, the user's own differently, and the line of new messages", async ({
    page,
    person,
    addPerson,
    app,
  }) => {
    await using tomas = await signInSender(app, await addPerson({ displayName: "Tomas" }));
    await openAs(page, person, ROOM_PATH);
    await expectLive(page);
    await sendMessage(page, "Mine");
    await expect(page.locator("article time")).toHaveCount(1);
    await page.goto("about:blank");
    await tomas.send("Theirs");
    await page.goto(ROOM_PATH);
    await expectLive(page);

    const getBorder = (text: string) =>
      findMessage(page, text).evaluate((bubble) => {
        const { borderTopStyle, borderTopWidth } = getComputedStyle(bubble);
        return `${borderTopStyle} ${borderTopWidth}`;
      });
    expect([await getBorder("Mine"), await getBorder("Theirs")]).toEqual([
      "solid 2px",
      "solid 1px",
    ]);
    const line = page.getByRole("listitem").filter({ hasText: /^New$/ });
    const getLine = (element: Element) => getComputedStyle(element, "::before").borderTopStyle;
    expect(await line.evaluate(getLine)).toBe("solid");
  });
});

/** Returns the controls of the room and its overlays that are smaller than 44 pixels, except links in a text. */
async function findSmallControls(page: Page): Promise<string[]> {
  return page
    .locator(
      ":is(#room, [role=dialog], [role=menu]) :is(a, button, input, textarea, [role=menuitem])",
    )
    .evaluateAll((controls) =>
      controls.flatMap((control) => {
        if (control.matches("p a, blockquote a, [type=hidden]")) return [];
        // A label extends its field.
        const { width, height } = (control.closest("label") ?? control).getBoundingClientRect();
        // Browsers place elements at fractions of a pixel.
        const isSmall = width > 0 && Math.min(width, height) < 43.99;
        return isSmall ? [`${control.outerHTML.slice(0, 120)}: ${width} × ${height}`] : [];
      }),
    );
}
