import type { Page } from "@playwright/test";

import { fillRoom } from "#tests/support/fill-room.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { expectLive, ROOM_PATH, signInSender } from "./room.ts";
import { openAs } from "./sign-in.ts";

test.use({ javaScriptEnabled: true });

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

test("keeps the feed and the typed text when the browser's stored data is deleted", async ({
  page,
  person,
  addPerson,
  app,
  allowError,
}) => {
  // The Firebase SDK may be using a database while it is deleted.
  allowError(/IDBDatabase|indexedDB|[Cc]onnection (?:is closing|was closed)/);
  await fillRoom(app.firebase, person, 3);
  await using tomas = await signInSender(app, await addPerson({ displayName: "Tomas" }));
  const note = page.getByText("This page's saved data was deleted.");
  const field = page.getByPlaceholder("Type a message…");
  await openAs(page, person, ROOM_PATH);
  await expectLive(page);

  for (const [index, clear] of [clearStorage, deleteDatabases].entries()) {
    const count = 3 + 2 * index;
    await field.fill(`Before ${index}`);

    await clear(page);

    await expect(note).toBeVisible();
    await expect(page.locator("article")).toHaveCount(count);
    await expect(field).toHaveValue(`Before ${index}`);
    if (index === 0) await expectAccessible(page, { within: "#room" });
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await expect(page.getByText(`Before ${index}`, { exact: true })).toBeVisible();
    await field.fill(`Half wri ${index}`);

    await page.getByRole("button", { name: "Reload" }).click();

    await expectLive(page);
    await expect(page.locator("article")).toHaveCount(count + 1);
    await expect(field).toHaveValue(`Half wri ${index}`);
    await expect(note).toBeHidden();
    await tomas.send(`Welcome back ${index}`);
    await expect(page.getByText(`Welcome back ${index}`, { exact: true })).toBeVisible();
  }
});
