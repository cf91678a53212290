import type { Page } from "@playwright/test";

import { ROOM_RECORD } from "#app/stories/readers/readers.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test, type TestApp } from "./fixtures.ts";
import { readDatabase } from "#tests/support/database-values.ts";
import type { TestAccount } from "#tests/support/firebase.ts";
import { expectCount } from "./reader-counts.ts";
import { expectLive, openRoomAs, ROOM_PATH, sendMessage } from "./room.ts";
import { openAs } from "./sign-in.ts";

const findCount = (page: Page, count: number) =>
  page.getByRole("button", { name: `${count} here`, exact: true });

/** Returns everything that others could see of a user. */
async function readPublic(app: TestApp, uid: string) {
  const paths = [`status/${uid}`, `connections/${uid}`, `typing/general/${uid}`];
  return Promise.all(paths.map((path) => readDatabase(app, path)));
}

/** Types in the room, until others can see that. */
async function expectTyping(page: Page, app: TestApp, { localId }: TestAccount) {
  await page.getByPlaceholder("Type a message…").pressSequentially("Shall I");
  await expect.poll(() => readDatabase(app, `typing/general/${localId}`)).toBe(true);
  await expect.poll(() => readDatabase(app, `status/${localId}/state`)).toBe("online");
}

/** Expects a user to be stored as offline and not typing. */
async function expectGone(app: TestApp, { localId }: TestAccount) {
  await expect.poll(() => readDatabase(app, `typing/general/${localId}`)).toBeNull();
  await expect.poll(() => readDatabase(app, `status/${localId}/state`)).toBe("offline");
}

test("two users see each other's messages and typing within a second, and who is here", async ({
  page: ana,
  browser,
  app,
  addPerson,
}) => {
  const lund = await addPerson({ displayName: "Tomas Lund" });
  const reyes = await addPerson({ displayName: "Ana Reyes" });
  await using talk = await openRoomAs(browser, app, lund);
  const tomas = talk.page;
  await openAs(ana, reyes, ROOM_PATH);
  await expectLive(ana);
  const composer = ana.getByPlaceholder("Type a message…");

  await test.step("a visitor sees how many are here, and no names", async () => {
    await using context = await browser.newContext({ baseURL: app.url });
    const visitor = await context.newPage();
    await expectCount(visitor, ROOM_RECORD, 2);
    await visitor.goto("/read/anything#room");
    await expectLive(visitor);
    const link = visitor.getByRole("banner").getByRole("link", { name: /^Room/ });
    await expect(link).toHaveAccessibleName("Room 2 people here");
    await expect(visitor.getByRole("button", { name: / here$/ })).toHaveCount(0);
    await expect(visitor.getByText(/Ana Reyes|Tomas Lund/)).toHaveCount(0);
  });

  await sendMessage(ana, "Is anybody here?");
  await expect(tomas.getByText("Is anybody here?", { exact: true })).toBeVisible({ timeout: 1000 });
  await composer.pressSequentially("Shall I go on");
  await expect(tomas.getByText("Ana Reyes is typing…")).toBeVisible({ timeout: 1000 });
  await sendMessage(tomas, "Please do.");
  await expect(ana.getByText("Please do.", { exact: true })).toBeVisible({ timeout: 1000 });
  await composer.blur();
  await expect(tomas.getByText("Ana Reyes is typing…")).toBeHidden({ timeout: 1000 });

  const secondTab = await tomas.context().newPage();
  await secondTab.goto(ROOM_PATH);
  await expectLive(secondTab);
  await expect(findCount(secondTab, 2)).toBeVisible();
  await findCount(ana, 2).click();
  await expect(ana.getByRole("dialog", { name: "Who is here" }).getByRole("listitem")).toHaveText([
    "Tomas Lund",
    "Ana Reyes (you)",
  ]);
  await expectAccessible(ana, { within: "[role=dialog]" });
  await ana.keyboard.press("Escape");
  await expect(findCount(ana, 2)).toBeFocused();

  await secondTab.close();
  await expect(findCount(tomas, 2)).toBeVisible();
  await expect(findCount(ana, 2)).toBeVisible();
  await expectTyping(tomas, app, lund);
  await tomas.close();
  await expect(findCount(ana, 1)).toBeVisible();
  await expectGone(app, lund);

  await expectTyping(ana, app, reyes);
  // A page without the room.
  await ana.goto("/favicon.svg");
  await expectGone(app, reyes);
});

test("shows a user who is here, even if scripts could not be loaded at first", async ({
  page,
  person,
  allowError,
}) => {
  allowError(/net::ERR_FAILED/);
  for (const name of ["firebase-user", "overlays"]) {
    let failures = 0;
    await page.route(`**/assets/${name}-*.js`, async (route) => {
      failures += 1;
      await (failures <= 2 ? route.abort() : route.continue());
    });
  }
  await openAs(page, person, ROOM_PATH);
  await findCount(page, 1).click();
  await expect(page.getByRole("dialog", { name: "Who is here" })).toBeVisible();
});

test("shows and writes nothing of an unseen user until they turn off the unseen mode", async ({
  page: ana,
  browser,
  app,
  addPerson,
}) => {
  const person = await addPerson({ displayName: "Ana Reyes" });
  const lund = await addPerson({ displayName: "Tomas Lund" });
  await using talk = await openRoomAs(browser, app, lund);
  const tomas = talk.page;
  await openAs(ana, person, ROOM_PATH);
  await expect(findCount(tomas, 2)).toBeVisible();
  const unseen = ana.getByText("Don't show when I'm here or typing");
  const people = ana.getByRole("dialog").getByRole("listitem");
  const line = ana.getByText("Others can't see that you're here.");

  await findCount(ana, 2).click();
  await unseen.click();
  await expect(findCount(tomas, 1)).toBeVisible();
  await expect(people).toHaveText(["Tomas Lund"]);
  await ana.keyboard.press("Escape");
  await expect(line).toBeVisible();

  await ana.getByRole("button", { name: "Change", exact: true }).click();
  await unseen.click();
  await expect(people).toHaveText(["Tomas Lund", "Ana Reyes (you)"]);
  await expect(findCount(tomas, 2)).toBeVisible();
  await expect.poll(() => readDatabase(app, `status/${person.localId}/state`)).toBe("online");
  await ana.keyboard.press("Escape");
  await expect(line).toBeHidden();
  await expect(findCount(ana, 2)).toBeFocused();

  await ana.keyboard.press("Enter");
  await unseen.click();
  await expect(findCount(tomas, 1)).toBeVisible();
  await ana.keyboard.press("Escape");
  await ana.getByPlaceholder("Type a message…").pressSequentially("Shall I");
  await expectAccessible(ana, { within: "#room" });
  expect(await readPublic(app, person.localId)).toEqual([null, null, null]);

  await test.step("the list leaves out those the user has hidden, and says how many are here", async () => {
    const form = { intent: "hide", person: lund.localId, name: "Tomas Lund" };
    const headers = { Origin: app.url };
    await ana.request.post("/rooms/general/hidden", { form, headers });
    await ana.reload();
    await expect(line).toBeVisible();
    await findCount(ana, 1).click();
    const list = ana.getByRole("dialog", { name: "Who is here" });
    await expect(list.getByText("1 person you hid is here too.")).toBeVisible();
    await expect(people).toHaveCount(0);
    await expect(list.getByText("Nobody else is here.")).toBeHidden();
    await unseen.click();
    await expect(people).toHaveText(["Ana Reyes (you)"]);
    await expect(list.getByText("1 person you hid is here too.")).toBeVisible();
    await expectAccessible(ana, { within: "[role=dialog]" });
    await unseen.click();
    await expect(findCount(tomas, 1)).toBeVisible();
    await tomas.close();
    await expect(list.getByText("Nobody else is here.")).toBeVisible();
  });

  await ana.close();
  expect(await readPublic(app, person.localId)).toEqual([null, null, null]);
});
