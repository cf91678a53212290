import type { Page } from "@playwright/test";

import { expect, test } from "./fixtures.ts";
import { readDatabase } from "#tests/support/database-values.ts";
import { expectLive, openRoomAs, ROOM_PATH, sendMessage } from "./room.ts";
import { openAs, signIn } from "./sign-in.ts";
import { expectStory, findRichEditor } from "./story.ts";

test.use({ javaScriptEnabled: true });

test("shows two users each other's messages and typing within a second", async ({
  page: ana,
  browser,
  app,
  addPerson,
}) => {
  await using talk = await openRoomAs(browser, app, await addPerson({ displayName: "Tomas Lund" }));
  const tomas = talk.page;
  await openAs(ana, await addPerson({ displayName: "Ana Reyes" }), ROOM_PATH);
  await expectLive(ana);
  await expectLive(tomas);

  await sendMessage(ana, "Is anybody here?");
  await expect(tomas.getByText("Is anybody here?", { exact: true })).toBeVisible({ timeout: 1000 });

  await ana.getByPlaceholder("Type a message…").pressSequentially("Shall I go on");
  await expect(tomas.getByText("Ana Reyes is typing…")).toBeVisible({ timeout: 1000 });

  await sendMessage(tomas, "Please do.");
  await expect(ana.getByText("Please do.", { exact: true })).toBeVisible({ timeout: 1000 });

  await ana.getByPlaceholder("Type a message…").blur();
  await expect(tomas.getByText("Ana Reyes is typing…")).toBeHidden({ timeout: 1000 });
});

for (const [how, leave] of [
  ["closes the tab", (page: Page) => page.close()],
  ["loads another page", (page: Page) => page.goto("/login")],
  ["follows a link", (page: Page) => page.getByRole("link", { name: "Profile" }).click()],
] as const) {
  test(`marks a user who ${how} while typing as offline and not typing`, async ({
    browser,
    app,
    person,
  }) => {
    // The room of /create closes when the user leaves that page. Beside other pages it would stay open.
    await using talk = await openRoomAs(browser, app, person, "/create");
    const isTyping = () => readDatabase(app, `typing/general/${person.localId}`);
    const readState = () => readDatabase(app, `status/${person.localId}/state`);
    await talk.page.getByPlaceholder("Type a message…").pressSequentially("Shall I");
    await expect.poll(isTyping).toBe(true);
    await expect.poll(readState).toBe("online");

    await leave(talk.page);

    await expect.poll(isTyping).toBeNull();
    await expect.poll(readState).toBe("offline");
  });
}

test("keeps the page and its text after signing out in the panel, and marks the user as offline", async ({
  browser,
  app,
  person,
}) => {
  await using talk = await openRoomAs(browser, app, person, "/create");
  const { page } = talk;
  await (await findRichEditor(page)).fill("Once upon a time");

  await page.getByRole("button", { name: "Sign out" }).click();

  await expect(page.getByText("Please sign in to chat.")).toBeVisible();
  await expectStory(page, "Once upon a time");
  await expect(page).toHaveURL(/\/create\?draft=/);
  await expect.poll(() => readDatabase(app, `status/${person.localId}/state`)).toBe("offline");
});

test("marks a user who signs out from another tab as offline", async ({ browser, app, person }) => {
  await using talk = await openRoomAs(browser, app, person);
  const readState = () => readDatabase(app, `status/${person.localId}/state`);
  await expect.poll(readState).toBe("online");
  const tab = await talk.page.context().newPage();
  await tab.goto("/home#room");

  await tab.getByRole("button", { name: "Sign out" }).click();

  await expect(talk.page.getByText("Please sign in to chat.")).toBeVisible();
  await expect.poll(readState).toBe("offline");
});

test("ends a user's presence when another user signs in from another tab", async ({
  browser,
  app,
  person,
  addPerson,
}) => {
  const tomas = await addPerson({ displayName: "Tomas Lund" });
  const readState = ({ localId }: { localId: string }) =>
    readDatabase(app, `status/${localId}/state`);
  await using talk = await openRoomAs(browser, app, person);
  const header = talk.page.getByRole("region", { name: "The room", exact: true }).locator("header");
  await talk.page.getByPlaceholder("Type a message…").pressSequentially("Shall I");
  await expect.poll(() => readDatabase(app, `typing/general/${person.localId}`)).toBe(true);

  await signIn(await talk.page.context().newPage(), tomas);

  await expect(header).toContainText("Tomas Lund");
  await expect.poll(() => readState(person)).toBe("offline");
  await expect.poll(() => readDatabase(app, `typing/general/${person.localId}`)).toBeNull();
  await expect.poll(() => readState(tomas)).toBe("online");
});
