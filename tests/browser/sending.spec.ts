import { expect, test } from "./fixtures.ts";
import { openRoom, sendMessage } from "./room.ts";
import { openAs } from "./sign-in.ts";

test.use({ javaScriptEnabled: true });

test("says after five seconds that a message is still being sent, also after leaving the page", async ({
  page,
  person,
}) => {
  await page.clock.install();
  await openAs(page, person, "/create");
  await page.route("**/rooms/general/messages", () => {});
  await sendMessage(page, "A long way");
  const message = page.locator("article", { hasText: "A long way" });
  await expect(message).toContainText("Sending…");
  // It may be stored already: another one with its text would be a second message.
  await expect(message.getByRole("button")).toHaveCount(0);

  await page.clock.fastForward(5000);
  await expect(message).toContainText("Still sending…");

  await page.getByRole("link", { name: "Home" }).click();
  await openRoom(page);
  await expect(message).toContainText("Still sending…");
});
