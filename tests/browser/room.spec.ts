import type { Page } from "@playwright/test";

import { fillRoom } from "#tests/support/fill-room.ts";
import type { TestAccount } from "#tests/support/firebase.ts";
import { recordAnnouncements } from "./announcements.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import {
  expectLive,
  findSmallControls,
  openRoom,
  ROOM_PATH,
  sendMessage,
  signInSender,
} from "./room.ts";
import { openAs, startSession } from "./sign-in.ts";

/** The scripts of Firebase, and the one with the carousel's motion. */
const LATER = [/firestore|firebase/i, /\/dashboard-/];

const MARKUP = "<b>Hello</b> & welcome";

test.describe("with JavaScript", () => {
  test("loads no Firebase code until a visitor opens the room, and no motion before input", async ({
    page,
    app,
    person,
  }) => {
    await fillRoom(app.firebase, person, 60);
    await using sender = await signInSender(app, person);
    const getCounts = await recordCounts(page);
    const scripts: string[] = [];
    page.on("request", (request) => scripts.push(request.url()));
    const findScripts = (pattern: RegExp) => scripts.filter((url) => pattern.test(url));
    await page.goto("/home");
    await page.waitForLoadState("networkidle");
    for (const pattern of LATER) expect(findScripts(pattern)).toEqual([]);

    await openRoom(page);
    const newest = Array.from(
      { length: 50 },
      (_, index) => new RegExp(`Robin Vale.+Message ${index + 11}$`, "s"),
    );
    await expect(page.locator("article")).toHaveText(newest);
    await expect(page.getByText("Please sign in to chat.")).toBeVisible();
    await expect(page.getByPlaceholder("Type a message…")).toBeHidden();
    // Without the key for a reply.
    await expect(page.getByRole("log", { name: "Messages" })).toHaveAccessibleDescription(
      "Arrow keys move between messages. Enter opens a message's menu.",
    );
    await expectLive(page);
    for (const pattern of LATER) expect(findScripts(pattern)).not.toEqual([]);
    expect(await getCounts()).toEqual(new Set([50]));
    expect(await findSmallControls(page)).toEqual([]);

    // The second visit starts with the cache of the first, and the room is still open.
    await page.goto("/read/anything");
    await expectLive(page);
    expect(await getCounts()).toEqual(new Set([50]));
    await sender.send("Can you hear me?");
    await expect(page.getByText("Can you hear me?", { exact: true })).toBeVisible({
      timeout: 1000,
    });
  });

  test("keeps what a user has typed for them alone when another user signs in", async ({
    page,
    person,
    addPerson,
    context,
    app,
  }) => {
    const tomas = await addPerson({ displayName: "Tomas Lund" });
    await openAs(page, person, ROOM_PATH);
    const box = page.getByPlaceholder("Type a message…");
    await box.fill("Mine alone");
    const header = page.getByRole("region", { name: "The room", exact: true }).locator("header");

    const tab = await context.newPage();
    await openAs(tab, tomas, "/profile");
    await expect(header).toContainText("Tomas Lund");
    await expect(box).toHaveValue("");
    await openAs(tab, person, "/profile");
    await expect(header).toContainText(person.displayName);
    await expect(box).toHaveValue("Mine alone");

    // The page does not know that Tomas is signed in now.
    await expectLive(page);
    const form = { email: tomas.email, password: tomas.password };
    await page.request.post("/login", { form, headers: { Origin: app.url }, maxRedirects: 0 });
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await expect(page.getByText("Someone else is signed in now.")).toBeVisible();
    await expect(box).toHaveValue("Mine alone");
    const home = await page.request.get("/home");
    expect(await home.text()).toContain("Nobody has spoken yet.");
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("on a phone, the form for messages is above the links at the bottom", async ({
    page,
    person,
  }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await openAs(page, person, "/home");
    await openRoom(page);

    const send = await page.getByRole("button", { name: "Send", exact: true }).boundingBox();
    const links = await page.getByRole("banner").getByRole("list").boundingBox();
    expect(links?.y).toBeGreaterThan((send?.y ?? Infinity) + (send?.height ?? 0));

    await sendMessage(page, MARKUP);
    await expectOwnMessage(page, person);
  });
});

test("someone without a name adds one in the room, and what they have typed stays", async ({
  page,
  app,
  addPerson,
}) => {
  const getAnnounced = await recordAnnouncements(page);
  await startSession(page, await addPerson());
  await page.goto(ROOM_PATH);
  await expectLive(page);
  const room = page.getByRole("region", { name: "The room", exact: true });
  await room.getByPlaceholder("Type a message…").fill("Hello, I am new");
  const add = room.getByRole("button", { name: "Add a name" });
  await add.click();
  const name = room.getByRole("textbox", { name: "Name" });
  await expect(name).toBeFocused();
  await cancelComposition(page);
  await expect(name).toBeFocused();
  await name.press("Escape");
  await expect(add).toBeFocused();
  await add.press("Enter");
  await name.fill(" ");
  await room.getByRole("button", { name: "Save" }).click();
  await expect(name).toBeFocused();
  await expect(room.getByText("Enter a name.")).toBeVisible();
  await name.fill("Barnaby K.");
  await expectAccessible(page, { within: "#room" });
  await name.press("Enter");

  await expect(room.getByText("You'll appear as")).toBeHidden();
  await expect(room.getByPlaceholder("Type a message…")).toBeFocused();
  await expect.poll(getAnnounced).toContain("Your name was saved.");
  await expect(room.getByPlaceholder("Type a message…")).toHaveValue("Hello, I am new");
  await room.getByRole("button", { name: "Send" }).click();
  await expect(room.locator("article").last()).toContainText(/Barnaby K\..*Hello, I am new/);
  expect(new URL(page.url()).pathname).toBe(new URL(ROOM_PATH, app.url).pathname);
});

test("a name that was cancelled while it was being saved does not come back", async ({
  page,
  addPerson,
  allowError,
}) => {
  allowError(/ERR_FAILED/);
  await startSession(page, await addPerson());
  await page.goto(ROOM_PATH);
  await expectLive(page);
  let fail = () => {};
  const held = new Promise<void>((resolve) => (fail = resolve));
  await page.route("**/profile", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    await held;
    await route.abort();
  });
  const room = page.getByRole("region", { name: "The room", exact: true });
  await room.getByRole("button", { name: "Add a name" }).click();
  const name = room.getByRole("textbox", { name: "Name" });
  await name.fill("Barnaby K.");
  await name.press("Enter");
  await name.press("Escape");
  const field = room.getByPlaceholder("Type a message…");
  await field.focus();

  const failed = page.waitForEvent("requestfailed");
  fail();
  await failed;
  await page.keyboard.type("Hello");

  await expect(field).toHaveValue("Hello");
  await expect(name).toBeHidden();
});

/** Types with an input method, and presses Escape while it composes. */
async function cancelComposition(page: Page) {
  const input = await page.context().newCDPSession(page);
  await input.send("Input.imeSetComposition", { text: "さ", selectionStart: 1, selectionEnd: 1 });
  await input.send("Input.dispatchKeyEvent", {
    type: "rawKeyDown",
    key: "Escape",
    code: "Escape",
    windowsVirtualKeyCode: 229,
  });
  await input.send("Input.insertText", { text: "" });
}

/** Expects the message `MARKUP`, as its sender sees it. */
async function expectOwnMessage(page: Page, { displayName }: TestAccount) {
  const message = page.locator("article").last();
  await expect(message).toContainText(MARKUP);
  await expect(message).toContainText(displayName);
  await expect(message.locator("time")).toBeVisible();
  await expect(message).toHaveAttribute("data-own");
}

/** Records how many messages the feed shows from the first on, and returns a function that reads these counts. */
async function recordCounts(page: Page) {
  await page.addInitScript(() => {
    const counts: number[] = [];
    Object.assign(window, { counts });
    document.addEventListener("DOMContentLoaded", () => {
      // The room at the end of the page is for browsers without scripts.
      const count = () => {
        const feed = document.querySelector("[role=log]:not(details *)");
        if (feed) counts.push(feed.querySelectorAll("article").length);
      };
      new MutationObserver(count).observe(document.body, { childList: true, subtree: true });
    });
  });
  return async () => new Set(await page.evaluate<number[]>("counts"));
}
