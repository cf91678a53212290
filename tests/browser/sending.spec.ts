import { fillRoom } from "#tests/support/fill-room.ts";
import { setRateRecord } from "#tests/support/rate-records.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { expectLive, openRoom, ROOM_PATH, sendMessage } from "./room.ts";
import { openAs } from "./sign-in.ts";

test.use({ javaScriptEnabled: true });

test("says after five seconds that a message is still being sent, even after leaving the page", async ({
  page,
  person,
}) => {
  await page.clock.install();
  await openAs(page, person, "/create");
  await page.route("**/rooms/general/messages", () => {});
  await sendMessage(page, "A long way");
  const message = page.locator("article", { hasText: "A long way" });
  await expect(message).toContainText("Sending…");
  // The message may be stored already, so the user must not be able to send its text as another message.
  await expect(message.getByRole("button")).toHaveCount(0);

  await page.clock.fastForward(5000);
  await expect(message).toContainText("Still sending…");

  await page.getByRole("link", { name: "Home" }).click();
  await openRoom(page);
  await expect(message).toContainText("Still sending…");
});

test("empties the field, disables Send and scrolls to the message after sending", async ({
  page,
  person,
  app,
}) => {
  await fillRoom(app.firebase, person, 9);
  await openAs(page, person, ROOM_PATH);
  await expectLive(page);
  const send = page.getByRole("button", { name: "Send", exact: true });
  await expect(send).toBeDisabled();
  for (const nothing of ["   ", "\u200B\u2060\uFEFF", "\u3164\u2800"]) {
    await page.getByPlaceholder("Type a message…").fill(nothing);
    await expect(send).toBeDisabled();
  }

  for (let count = 10; count <= 12; count += 1) await sendMessage(page, `Line ${count}`);

  await expect(page.getByPlaceholder("Type a message…")).toHaveValue("");
  await expect(page.getByText("Line 12", { exact: true })).toBeInViewport();
  await expect(page.locator("article time")).toHaveCount(12);
  await expect(page.locator("article").last()).toContainText("Line 12");
});

test("sends with Enter, and starts a line with Shift+Enter", async ({ page, person }) => {
  await openAs(page, person, ROOM_PATH);
  const box = page.getByPlaceholder("Type a message…");

  await box.pressSequentially("One");
  await box.press("Shift+Enter");
  await box.pressSequentially("Two");
  await box.press("Enter");

  await expect(page.locator("article")).toContainText("One\nTwo", { useInnerText: true });
});

test("keeps a message while offline, and sends it automatically afterwards", async ({
  page,
  person,
  allowError,
}) => {
  allowError(/ERR_INTERNET_DISCONNECTED|WebChannelConnection|WebSocket|Could not reach/);
  // The SDK requests an image from google.com to detect whether it is offline.
  allowError(/ERR_NAME_NOT_RESOLVED/);
  await openAs(page, person, ROOM_PATH);
  await expectLive(page);
  await page.context().setOffline(true);

  await sendMessage(page, "Into the dark");
  await expect(page.getByText("No connection. Your messages wait here")).toBeVisible();
  await expect(page.locator("article")).toHaveText(/Waiting for connection.*Into the dark/);

  await page.context().setOffline(false);
  await expect(page.locator("article", { hasText: "Into the dark" })).toHaveCount(1);
  await expect(page.locator("article time")).toHaveCount(1);
});

test("keeps a message that fails after the user has left the page", async ({
  page,
  person,
  allowError,
}) => {
  allowError(/ERR_FAILED/);
  await openAs(page, person, "/create");
  await expectLive(page);
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/rooms/general/messages", async (route) => {
    await held;
    await route.abort();
  });
  await sendMessage(page, "Do not lose me");

  await page.getByRole("link", { name: "Home" }).click();
  await expect(page).toHaveURL("/home");
  release();
  await openRoom(page);

  await expect(page.locator("article")).toHaveText(/Waiting for connection.*Do not lose me/);
});

test("shows one bubble for a message whose response was lost, and empties the field", async ({
  page,
  person,
  allowError,
}) => {
  allowError(/ERR_FAILED/);
  await openAs(page, person, ROOM_PATH);
  await expectLive(page);
  let isStored = false;
  await page.route("**/rooms/general/messages", async (route) => {
    if (!isStored) await route.fetch();
    isStored = true;
    await route.abort();
  });

  await sendMessage(page, "Only once");

  await expect(page.locator("article time")).toHaveCount(1);
  await expect(page.getByPlaceholder("Type a message…")).toHaveValue("");
  await expect(page.locator("article", { hasText: "Only once" })).toHaveCount(1);
  await expect(page.getByText("Not sent.", { exact: true })).toBeHidden();
});

test("sends what was written offline once, in order, after a reload, without another press of Send", async ({
  page,
  person,
  allowError,
}) => {
  allowError(/ERR_FAILED/);
  await openAs(page, person, ROOM_PATH);
  await expectLive(page);
  await page.route("**/rooms/general/messages", (route) => route.abort());
  for (const text of ["One", "Two", "Three"]) await sendMessage(page, text);
  const waiting = [1, 2, 3].map(() => /Waiting for connection/);
  await expect(page.locator("article")).toHaveText(waiting);
  await expect(page.getByText("Not sent yet.")).toBeVisible();
  // The browser is still storing it when the page is reloaded.
  await page.getByPlaceholder("Type a message…").fill("Four, half wri");
  await page.reload();
  await expect(page.locator("article")).toHaveText(waiting);
  await expect(page.getByPlaceholder("Type a message…")).toHaveValue("Four, half wri");
  await page.unroute("**/rooms/general/messages");

  await expect(page.locator("article time")).toHaveCount(3);
  await expect(page.locator("article")).toHaveText([/One/, /Two/, /Three/]);
  await expect(page.getByText("Not sent yet.")).toBeHidden();
  await expect(page.getByPlaceholder("Type a message…")).toHaveValue("Four, half wri");
});

test("sends a message over the rate limit automatically after the wait", async ({
  page,
  person,
  app,
}) => {
  await openAs(page, person, ROOM_PATH);
  await expectLive(page);
  // In five seconds, the oldest message no longer counts towards the limit.
  await setRateRecord(app.firebase.hosts, person.localId, "messages", [5000, 8, 7, 6, 5]);

  await sendMessage(page, "One too many");

  await expect(page.getByText(/^You can send another message in \d+ seconds?\.$/)).toBeVisible();
  await expect(page.locator("article")).toHaveText(/Waiting.*One too many/);
  await expect(page.locator("article time")).toHaveCount(1, { timeout: 15_000 });
  await expect(page.locator("article")).toHaveText(/One too many/);
});

test("lets the user retry, edit or discard a rejected message", async ({
  page,
  person,
  allowError,
}) => {
  allowError(/status of 403/);
  await openAs(page, person, ROOM_PATH);
  await expectLive(page);
  await page.route("**/rooms/general/messages", (route) =>
    route.fulfill({
      status: 403,
      json: { status: "error", reason: "denied", id: "x", text: "x", message: "Not sent." },
    }),
  );
  for (const text of ["One", "Two"]) await sendMessage(page, text);
  await expect(page.locator("article")).toHaveText([/Not sent.*One/, /Not sent.*Two/]);
  await expectAccessible(page, { within: "#room" });
  const bubbles = page.locator("article");
  const rejected = page.waitForResponse("**/rooms/general/messages");
  await bubbles.last().getByRole("button", { name: "Retry" }).press("Enter");
  await expect(page.getByRole("log")).toBeFocused();
  await rejected;
  await expect(bubbles).toHaveText([/Not sent.*One/, /Not sent.*Two/]);
  await page.unroute("**/rooms/general/messages");

  await bubbles.first().getByRole("button", { name: "Edit" }).click();
  await expect(page.getByPlaceholder("Type a message…")).toHaveValue("One");
  await bubbles.filter({ hasText: "Two" }).getByRole("button", { name: "Retry" }).click();
  await expect(page.locator("article time")).toHaveCount(1);
  await expect(bubbles).toHaveText([/Two/]);
});
