import { fillRoom } from "#tests/support/fill-room.ts";
import { countMessages, recordAnnouncements } from "./announcements.ts";
import { expect, test } from "./fixtures.ts";
import { expectLive, ROOM_PATH, signInSender } from "./room.ts";
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

test("a switch silences new messages: off beside a story at first, on elsewhere, and each is remembered", async ({
  page,
  person,
  addPerson,
  app,
}) => {
  await using tomas = await signInSender(app, await addPerson({ displayName: "Tomas" }));
  const readAnnouncements = await recordAnnouncements(page);
  const control = page.getByRole("switch", { name: "Announce new messages" });
  async function toggle(wasOn: boolean) {
    await page.getByRole("button", { name: /^\d here$/ }).click();
    await expect(control).toBeChecked({ checked: wasOn });
    await page.getByText("Announce new messages").click();
    await expect(control).toBeChecked({ checked: !wasOn });
    await page.keyboard.press("Escape");
    await expect(control).toBeHidden();
  }
  async function expectAnnounced(text: string, isAnnounced: boolean) {
    await tomas.send(text);
    await expect(page.getByText(text, { exact: true })).toBeVisible();
    const findAnnounced = async () =>
      (await readAnnouncements()).some((said) => said.includes(text));
    // A message that is announced is shown and announced at the same time.
    if (isAnnounced) await expect.poll(findAnnounced).toBe(true);
    else expect(await findAnnounced()).toBe(false);
  }

  await openAs(page, person, "/read/the-lamplighters-orchard#room");
  await expectLive(page);
  await expectAnnounced("Quiet in the orchard", false);
  await toggle(false);
  await expectAnnounced("Heard in the orchard", true);
  await page.reload();
  await expectLive(page);
  await expectAnnounced("Still heard in the orchard", true);

  await page.goto(ROOM_PATH);
  await expectLive(page);
  await expectAnnounced("Heard at home", true);
  await toggle(true);
  await expectAnnounced("Quiet at home", false);
  await page.reload();
  await expectLive(page);
  await expectAnnounced("Still quiet at home", false);
});
