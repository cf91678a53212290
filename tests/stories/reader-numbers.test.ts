import { expect, test } from "vitest";

import { toRecordTime } from "#app/stories/readers/readers.ts";
import { writeDatabase } from "#tests/support/database-values.ts";
import { startPlainBrowser } from "#tests/support/plain-browser.ts";

type PlainBrowser = Awaited<ReturnType<typeof startPlainBrowser>>;

/** Records one reader for each of these stories, or for the room. */
async function setReaders({ firebase }: PlainBrowser, stories: string[]) {
  const time = toRecordTime(Date.now());
  const records = stories.map((story, index) => [`key${index}`, { story, time }]);
  await writeDatabase({ firebase }, "readers", Object.fromEntries(records));
}

const isRoomOf = (count: number) =>
  new RegExp(`>Room<span[^>]*><svg[^]*?</svg>${count}</span><span[^>]*>people here</span>`);

test("pages show the numbers of this isolate, and ask for new ones after the response", async () => {
  await using browser = await startPlainBrowser();
  await setReaders(browser, ["room", "salt-for-the-clockmaker", "room"]);

  expect((await browser.get("/login")).html).not.toContain("people here");

  await expect.poll(async () => (await browser.get("/register")).html).toMatch(isRoomOf(2));
  const home = await browser.get("/home");
  expect(home.html).toMatch(isRoomOf(2));
  expect(home.html).toContain("1 reading now");
});
