import type { Page } from "@playwright/test";

import { expect, test } from "./fixtures.ts";
import { readDatabase } from "./read-database.ts";
import { expectLive, openRoomAs, sendMessage } from "./room.ts";
import { openAs } from "./sign-in.ts";
import { expectStory, findRichEditor } from "./story.ts";

test.use({ javaScriptEnabled: true });

test("two people talk, each sees the other within a second, and that they are typing", async ({
  page: ana,
  browser,
  app,
  addPerson,
}) => {
  await using talk = await openRoomAs(browser, app, await addPerson({ displayName: "Tomas Lund" }));
  const tomas = talk.page;
  await openAs(ana, await addPerson({ displayName: "Ana Reyes" }), "/create");
  await expectLive(ana);
  await expectLive(tomas);

  await sendMessage(ana, "Is anybody here?");
  await expect(tomas.getByText("Is anybody here?")).toBeVisible({ timeout: 1000 });

  await ana.getByPlaceholder("Type a message…").pressSequentially("Shall I go on");
  await expect(tomas.getByText("Ana Reyes is typing…")).toBeVisible({ timeout: 1000 });

  await sendMessage(tomas, "Please do.");
  await expect(ana.getByText("Please do.")).toBeVisible({ timeout: 1000 });

  await ana.getByPlaceholder("Type a message…").blur();
  await expect(tomas.getByText("Ana Reyes is typing…")).toBeHidden({ timeout: 1000 });
});

test("whoever is in the room is online, and offline once their tab is closed", async ({
  browser,
  app,
  person,
}) => {
  const readState = () => readDatabase(app, `status/${person.localId}/state`);
  const talk = await openRoomAs(browser, app, person);
  await expect.poll(readState).toBe("online");

  await talk.page.close();

  await expect.poll(readState).toBe("offline");
  await talk[Symbol.asyncDispose]();
});

for (const [how, leave] of [
  ["closes the tab", (page: Page) => page.close()],
  ["loads another page", (page: Page) => page.goto("/login")],
  ["follows a link", (page: Page) => page.getByRole("link", { name: "Profile" }).click()],
] as const) {
  test(`whoever ${how} while typing is neither typing nor here any longer`, async ({
    browser,
    app,
    person,
  }) => {
    await using talk = await openRoomAs(browser, app, person);
    const isTyping = () => readDatabase(app, `typing/general/${person.localId}`);
    await talk.page.getByPlaceholder("Type a message…").pressSequentially("Shall I");
    await expect.poll(isTyping).toBe(true);

    await leave(talk.page);

    await expect.poll(isTyping).toBeNull();
    await expect.poll(() => readDatabase(app, `status/${person.localId}/state`)).toBe("offline");
  });
}

test("somebody with two tabs is online until the last is closed", async ({
  browser,
  app,
  person,
}) => {
  const readState = () => readDatabase(app, `status/${person.localId}/state`);
  await using talk = await openRoomAs(browser, app, person);
  const second = await talk.page.context().newPage();
  await second.goto("/create");
  await expectLive(second);
  await expect.poll(readState).toBe("online");

  await second.close();
  await talk.page.bringToFront();

  await expect.poll(readState).toBe("online");
});

test("signing out in the panel leaves the page and its words, and says goodbye", async ({
  browser,
  app,
  person,
}) => {
  await using talk = await openRoomAs(browser, app, person);
  const { page } = talk;
  await (await findRichEditor(page)).fill("Once upon a time");

  await page.getByRole("button", { name: "Sign out" }).click();

  await expect(page.getByText("Please sign in to chat.")).toBeVisible();
  await expectStory(page, "Once upon a time");
  await expect(page).toHaveURL(/\/create\?draft=/);
  await expect.poll(() => readDatabase(app, `status/${person.localId}/state`)).toBe("offline");
});
