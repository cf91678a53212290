import type { Page } from "@playwright/test";

import { fillRoom } from "#tests/support/fill-room.ts";
import { expect, test } from "./fixtures.ts";
import { expectLive, ROOM_PATH, signInSender } from "./room.ts";
import { openAs } from "./sign-in.ts";

/** Deletes what the browser's own "Clear site data" deletes, except cookies. */
async function clearStorage(page: Page) {
  const session = await page.context().newCDPSession(page);
  const { origin } = new URL(page.url());
  await session.send("Storage.clearDataForOrigin", {
    origin,
    storageTypes: "indexeddb,local_storage,cache_storage",
  });
}

/** Deletes all databases from another tab. Does not wait for the Firebase SDK, which leaves one of its databases open. */
async function deleteDatabases(page: Page) {
  const tab = await page.context().newPage();
  await tab.goto("/favicon.svg");
  await tab.evaluate(async () => {
    for (const { name } of await indexedDB.databases()) {
      await new Promise((resolve) => {
        const request = indexedDB.deleteDatabase(name ?? "");
        request.onsuccess = resolve;
        request.onblocked = resolve;
      });
    }
  });
  await tab.close();
}

test("stays live and keeps the typed text when the browser's stored data is deleted", async ({
  page,
  person,
  addPerson,
  app,
  allowError,
}) => {
  // From the database of Firebase's usage statistics, when it is deleted during a transaction
  // (https://github.com/jakearchibald/idb/pull/338).
  allowError(/^AbortError$/);
  await fillRoom(app.firebase, person, 3);
  await using tomas = await signInSender(app, await addPerson({ displayName: "Tomas" }));
  const field = page.getByPlaceholder("Type a message…");
  await openAs(page, person, ROOM_PATH);
  await expectLive(page);

  for (const [index, clear] of [clearStorage, deleteDatabases].entries()) {
    await field.fill(`Before ${index}`);

    await clear(page);

    await tomas.send(`Are you there ${index}?`);
    await expect(page.getByText(`Are you there ${index}?`, { exact: true })).toBeVisible();
    await expect(field).toHaveValue(`Before ${index}`);
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await expect(
      page.locator("article", { hasText: `Before ${index}` }).locator("time"),
    ).toBeVisible();
  }
});

test("shows what was sent meanwhile as soon as it is live in a tab after a crash", async ({
  page,
  context,
  person,
  addPerson,
  app,
}) => {
  await using tomas = await signInSender(app, await addPerson({ displayName: "Tomas" }));
  await openAs(page, person, ROOM_PATH);
  await expectLive(page);
  const session = await context.newCDPSession(page);
  const crashed = page.waitForEvent("crash");
  // Never responds.
  void session.send("Page.crash").catch(() => undefined);
  await crashed;
  await tomas.send("While you were away");

  const next = await context.newPage();
  await next.goto(ROOM_PATH);
  await expectLive(next);

  // Without waiting: a feed that calls itself live is complete.
  expect(await next.getByText("While you were away", { exact: true }).isVisible()).toBe(true);
});
