import { expect, test } from "./fixtures.ts";
import { expectLive, sendMessage } from "./room.ts";
import { openAs } from "./sign-in.ts";
import { findRichEditor } from "./story.ts";

test("a browser with a time zone and a language that Intl refuses shows the room and /create", async ({
  playwright,
  launchOptions,
  app,
  person,
}) => {
  const env = { ...process.env, TZ: "Nowhere/Bogus" };
  await using browser = await playwright.chromium.launch({ ...launchOptions, env });
  const page = await browser.newPage({ baseURL: app.url });
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "language", { value: "en_US@posix" });
  });

  await openAs(page, person, "/create");
  await expectLive(page);
  const reported = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  await sendMessage(page, "What time is it?");
  const message = page.getByRole("listitem").filter({ hasText: "What time is it?" });
  await expect(message.locator("time")).toHaveText(/^\d{1,2}:\d{2}/);
  await findRichEditor(page);
  expect(reported).toBe("Etc/Unknown");
});
