import { fillRoom } from "#tests/support/fill-room.ts";
import { countMessages, recordAnnouncements } from "./announcements.ts";
import { expect, test } from "./fixtures.ts";
import { expectLive, ROOM_PATH } from "./room.ts";
import { openAs } from "./sign-in.ts";

test.use({ javaScriptEnabled: true });

test("many messages at once are announced with their number and a few words, in few announcements", async ({
  page,
  person,
  addPerson,
  app,
}) => {
  const tomas = await addPerson({ displayName: "Tomas" });
  const readAnnouncements = await recordAnnouncements(page);
  await openAs(page, person, ROOM_PATH);
  await expectLive(page);
  const start = Date.now();
  const long = "word ".repeat(900);
  await fillRoom(app.firebase, tomas, 20, [long], (index) => Date.now() + index);
  await expect(page.getByRole("article")).toHaveCount(20);
  await expect
    .poll(async () =>
      countMessages((await readAnnouncements()).filter((text) => text.includes("Tomas"))),
    )
    .toBe(20);
  const said = (await readAnnouncements()).filter((text) => text.includes("Tomas"));
  expect(said.length).toBeLessThanOrEqual(1 + Math.ceil((Date.now() - start) / 5000));
  expect(Math.max(...said.map(({ length }) => length))).toBeLessThan(170);
});
