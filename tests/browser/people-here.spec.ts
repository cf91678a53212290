import type { Page } from "@playwright/test";

import { ROOM_RECORD } from "#app/stories/readers/readers.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test, type TestApp } from "./fixtures.ts";
import { readDatabase } from "#tests/support/database-values.ts";
import { expectCount } from "./reader-counts.ts";
import { expectLive, openRoom, openRoomAs, ROOM_PATH } from "./room.ts";
import { openAs } from "./sign-in.ts";

test.use({ javaScriptEnabled: true });

const findCount = (page: Page, count: number) =>
  page.getByRole("button", { name: `${count} here`, exact: true });

/** Returns everything that others could see of a user. */
async function readPublic(app: TestApp, uid: string) {
  const paths = [`status/${uid}`, `connections/${uid}`, `typing/general/${uid}`];
  return Promise.all(paths.map((path) => readDatabase(app, path)));
}

test("counts a user with two tabs once, until both are closed", async ({
  page: ana,
  browser,
  app,
  addPerson,
}) => {
  await using talk = await openRoomAs(browser, app, await addPerson({ displayName: "Tomas Lund" }));
  await openAs(ana, await addPerson({ displayName: "Ana Reyes" }), ROOM_PATH);
  const tomas = talk.page;
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
  await tomas.close();
  await expect(findCount(ana, 1)).toBeVisible();
});

test("shows who is here once scripts that could not be loaded are loaded", async ({
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

test("shows and writes nothing of an unseen user, who sees the others", async ({
  page: ana,
  browser,
  app,
  addPerson,
}) => {
  const person = await addPerson({ displayName: "Ana Reyes" });
  await using talk = await openRoomAs(browser, app, await addPerson({ displayName: "Tomas Lund" }));
  const tomas = talk.page;
  await openAs(ana, person, ROOM_PATH);
  await expect(findCount(tomas, 2)).toBeVisible();

  await findCount(ana, 2).click();
  await ana.getByText("Don't show when I'm here or typing").click();

  await expect(findCount(tomas, 1)).toBeVisible();
  await expect(ana.getByRole("dialog").getByRole("listitem")).toHaveText(["Tomas Lund"]);
  await ana.keyboard.press("Escape");
  const line = ana.getByText("Others can't see that you're here.");
  await expect(line).toBeVisible();
  await ana.getByPlaceholder("Type a message…").pressSequentially("Shall I");
  await ana.waitForTimeout(300);
  expect(await readPublic(app, person.localId)).toEqual([null, null, null]);
  await expectAccessible(ana, { within: "#room" });

  await ana.reload();
  await expect(line).toBeVisible();
  await expect(findCount(ana, 1)).toBeVisible();
  await ana.close();
  await expect(findCount(tomas, 1)).toBeVisible();
  expect(await readPublic(app, person.localId)).toEqual([null, null, null]);
});

test("shows a user again who turns off the unseen mode above the composer", async ({
  page,
  app,
  person,
}) => {
  await openAs(page, person, ROOM_PATH);
  await findCount(page, 1).click();
  await page.getByText("Don't show when I'm here or typing").click();
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Change", exact: true }).click();
  await page.getByText("Don't show when I'm here or typing").click();

  await expect(page.getByRole("dialog").getByRole("listitem")).toHaveText(["Robin Vale (you)"]);
  await page.keyboard.press("Escape");
  await expect(page.getByText("Others can't see that you're here.")).toBeHidden();
  await expect(findCount(page, 1)).toBeFocused();
  await expect.poll(() => readDatabase(app, `status/${person.localId}/state`)).toBe("online");
});

test("shows visitors how many people are here, but not who", async ({
  page,
  browser,
  app,
  person,
}) => {
  await using talk = await openRoomAs(browser, app, person);
  await expect(findCount(talk.page, 1)).toBeVisible();

  await page.goto("/home");
  await openRoom(page);
  await expectLive(page);

  const link = page.getByRole("banner").getByRole("link", { name: /^Room/ });
  await expect(page.getByRole("button", { name: / here$/ })).toHaveCount(0);
  await expect(page.getByText("Robin Vale")).toHaveCount(0);
  await expectCount(page, ROOM_RECORD, 1);
  await page.goto("/login");
  await expect(link).toHaveAccessibleName("Room 1 person here");
});
