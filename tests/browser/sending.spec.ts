import { formatCursor } from "#app/firebase/cursor.ts";
import { fillRoom } from "#tests/support/fill-room.ts";
import { setRateRecord } from "#tests/support/rate-records.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { expectLive, goHome, holdMessages, openRoom, ROOM_PATH, sendMessage } from "./room.ts";
import { openAs } from "./sign-in.ts";

test("says after five seconds that a message is still being sent, also on another page", async ({
  page,
  person,
  allowError,
}) => {
  allowError(/ERR_FAILED/);
  await page.clock.install();
  await openAs(page, person, "/create");
  await expectLive(page);
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/rooms/general/messages", async (route) => {
    await held;
    await route.abort();
  });
  await sendMessage(page, "A long way");
  const message = page.locator("article", { hasText: "A long way" });
  await expect(message).toContainText("Sending…");
  // The message may be stored already, so the user must not be able to send its text as another message.
  await expect(message.getByRole("button")).toHaveCount(0);

  await page.clock.fastForward(5000);
  await expect(message).toContainText("Still sending…");

  await goHome(page);
  await openRoom(page);
  await expect(message).toContainText("Still sending…");

  await page.getByRole("button", { name: "Close the room" }).click();
  await expect(message).toHaveCount(0);
  const failed = page.waitForEvent("requestfailed");
  release();
  await failed;
  await openRoom(page);
  await expect(page.locator("article")).toHaveText(/Waiting for connection.*A long way/);
});

test("sends with Send or Enter, empties the field and scrolls to the message", async ({
  page,
  person,
  app,
}) => {
  await fillRoom(app.firebase, person, 9);
  await openAs(page, person, ROOM_PATH);
  await expectLive(page);
  const box = page.getByPlaceholder("Type a message…");
  const messages = page.locator("article");
  const send = page.getByRole("button", { name: "Send", exact: true });
  await expect(send).toBeDisabled();
  for (const nothing of ["   ", "\u200B\u2060\uFEFF", "\u3164\u2800"]) {
    await box.fill(nothing);
    await expect(send).toBeDisabled();
  }

  await box.fill("");
  await box.pressSequentially("One");
  await box.press("Shift+Enter");
  await box.pressSequentially("Two");
  await box.press("Enter");
  await expect(messages.last()).toContainText("One\nTwo", { useInnerText: true });
  await expect(messages.last()).toHaveAttribute("data-own");

  for (let count = 11; count <= 13; count += 1) await sendMessage(page, `Line ${count}`);
  await expect(box).toHaveValue("");
  // The button that was pressed is disabled by now.
  await expect(box).toBeFocused();
  await expect(page.getByText("Line 13", { exact: true })).toBeInViewport();
  await expect(page.locator("article time")).toHaveCount(13);
  await expect(messages.last()).toContainText("Line 13");

  // In five seconds, the oldest message no longer counts towards the limit.
  await setRateRecord(app.firebase.hosts, person.localId, "messages", [5000, 8, 7, 6, 5]);
  await sendMessage(page, "One too many");
  await expect(page.getByText(/^You can send another message in \d+ seconds?\.$/)).toBeVisible();
  await expect(messages.last()).toHaveText(/Waiting.*One too many/);
  await expect(page.locator("article time")).toHaveCount(14, { timeout: 15_000 });
  await expect(messages.last()).toHaveText(/One too many/);

  await test.step("a page that is restored by Back has no text that another page has sent since", async () => {
    await box.fill("Good evening");
    await page.evaluate((key) => {
      localStorage.setItem(key, JSON.stringify({ text: "" }));
      window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
    }, `inkglade.composer.${person.localId}`);
    await expect(box).toHaveValue("");
  });
});

test("a message that is too long leaves the user on the earlier page where they wrote it", async ({
  page,
  person,
  app,
}) => {
  await fillRoom(app.firebase, person, 60);
  const cursor = formatCursor({ id: "x", time: Date.now() - 60_000 });
  const path = `/home?before=${cursor}`;
  await openAs(page, person, `${path}#room`);
  await expect(page.getByRole("button", { name: "Send", exact: true })).toBeDisabled();
  const feed = page.getByRole("log", { name: "Messages" });
  await feed.evaluate((element) => element.scrollTo(0, 0));

  await sendMessage(page, "x".repeat(4001));

  await expect(page.getByText("A message can have up to 4,000 characters.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Show newest messages" })).toBeAttached();
  await expect(page).toHaveURL((url) => url.pathname + url.search === path);
  await expect.poll(() => feed.evaluate((element) => element.scrollTop)).toBe(0);
  await expect(page.getByPlaceholder("Type a message…")).toHaveValue("x".repeat(4001));
});

test("sends each message once and in order, also after a reload or a lost response", async ({
  page,
  person,
  allowError,
}) => {
  allowError(/ERR_FAILED/);
  await openAs(page, person, ROOM_PATH);
  await expectLive(page);
  const box = page.getByPlaceholder("Type a message…");
  const messages = page.locator("article");
  let isStored = false;
  await page.route("**/rooms/general/messages", async (route) => {
    if (!isStored) await route.fetch();
    isStored = true;
    await route.abort();
  });

  await sendMessage(page, "Only once");
  await expect(page.locator("article time")).toHaveCount(1);
  await expect(box).toHaveValue("");
  await expect(messages).toHaveText([/Only once/]);
  await expect(page.getByText("Not sent.", { exact: true })).toBeHidden();

  for (const text of ["One", "Two", "Three"]) await sendMessage(page, text);
  const waiting = [/Only once/, ...[1, 2, 3].map(() => /Waiting for connection/)];
  await expect(messages).toHaveText(waiting);
  await expect(page.getByText("Not sent yet.")).toBeVisible();
  // The browser is still storing it when the page is reloaded.
  await box.fill("Four, half wri");
  await page.reload();
  await expect(messages).toHaveText(waiting);
  await expect(box).toHaveValue("Four, half wri");
  await page.unroute("**/rooms/general/messages");

  // Nobody presses Send again.
  await expect(page.locator("article time")).toHaveCount(4);
  await expect(messages).toHaveText([/Only once/, /One/, /Two/, /Three/]);
  await expect(page.getByText("Not sent yet.")).toBeHidden();
  await expect(box).toHaveValue("Four, half wri");
});

test("shows what waits and what is typed in every tab, and sends each message once", async ({
  page,
  person,
  context,
  allowError,
}) => {
  allowError(/ERR_FAILED/);
  await context.route("**/rooms/general/messages", (route) => route.abort());
  await openAs(page, person, ROOM_PATH);
  await expectLive(page);
  const tab = await context.newPage();
  await tab.goto(ROOM_PATH);
  await expectLive(tab);

  await sendMessage(page, "One");
  await sendMessage(tab, "Two");
  await tab.getByPlaceholder("Type a message…").fill("Half wri");
  for (const one of [page, tab]) {
    await expect(one.locator("article")).toHaveText([/One/, /Two/]);
    await expect(one.getByPlaceholder("Type a message…")).toHaveValue("Half wri");
  }

  const posted: string[] = [];
  await context.unroute("**/rooms/general/messages");
  context.on("request", (request) => {
    if (request.url().endsWith("/rooms/general/messages")) posted.push(request.url());
  });
  for (const one of [page, tab]) {
    await expect(one.locator("article time")).toHaveCount(2);
    await expect(one.locator("article")).toHaveText([/One/, /Two/]);
  }
  expect(posted).toHaveLength(2);
});

test("what the server does not accept stays with the user, who decides about it", async ({
  page,
  person,
  context,
  allowError,
}) => {
  allowError(/status of 403/);
  await openAs(page, person, ROOM_PATH);
  await expectLive(page);
  const messages = page.locator("article");

  await test.step("a rejected message can be sent again, edited or discarded", async () => {
    await page.route("**/rooms/general/messages", (route) =>
      route.fulfill({
        status: 403,
        json: { status: "error", reason: "denied", id: "x", text: "x", message: "Not sent." },
      }),
    );
    for (const text of ["One", "Two", "Three"]) await sendMessage(page, text);
    await expect(messages).toHaveText([/Not sent.*One/, /Not sent.*Two/, /Not sent.*Three/]);
    await expectAccessible(page, { within: "#room" });
    const rejected = page.waitForResponse("**/rooms/general/messages");
    await messages.last().getByRole("button", { name: "Retry" }).press("Enter");
    await expect(messages.last()).toBeFocused();
    await rejected;
    await expect(messages).toHaveText([/Not sent.*One/, /Not sent.*Two/, /Not sent.*Three/]);
    await page.unroute("**/rooms/general/messages");

    await messages.last().getByRole("button", { name: "Discard" }).click();
    await messages.first().getByRole("button", { name: "Edit" }).click();
    await expect(page.getByPlaceholder("Type a message…")).toHaveValue("One");
    await expect(page.getByPlaceholder("Type a message…")).toBeFocused();
    await messages.filter({ hasText: "Two" }).getByRole("button", { name: "Retry" }).click();
    await expect(page.locator("article time")).toHaveCount(1);
    await expect(messages).toHaveText([/Two/]);
  });

  await test.step("once the session has ended, the last message returns, and earlier ones wait", async () => {
    const release = await holdMessages(page);
    await sendMessage(page, "Three");
    await expect(messages).toHaveText([/Two/, /Sending….*Three/]);
    await sendMessage(page, "Four");
    const cookies = await context.cookies();
    await context.clearCookies();

    release();
    await expect(page.getByText("Not authenticated", { exact: true })).toBeVisible();
    await expect(page.getByPlaceholder("Type a message…")).toHaveValue("Four");
    await expect(messages).toHaveText([/Two/, /Waiting.*Three/]);
    const room = page.getByRole("region", { name: "The room" });
    await expect(room.getByRole("link", { name: /sign in/i })).toHaveText(
      "Sign in from another tab",
    );
    await expect(room.getByRole("button", { name: /google|sign/i })).toBeHidden();

    await context.addCookies(cookies);
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await expect(page.locator("article time")).toHaveCount(3);
    await expect(messages).toHaveText([/Two/, /Three/, /Four/]);
    await expect(page.getByText("Not authenticated", { exact: true })).toBeHidden();
  });
});
