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
  await tab.goto("/robots.txt");
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

for (const [what, clear] of [
  ["the browser has cleared its data", clearStorage],
  ["another tab has deleted its databases", deleteDatabases],
] as const) {
  test(`keeps the feed and what is typed when ${what}, still sends it, and offers to reload`, async ({
    page,
    person,
    addPerson,
    app,
  }) => {
    await fillRoom(app.firebase, person, 3);
    await using tomas = await signInSender(app, await addPerson({ displayName: "Tomas" }));
    await openAs(page, person, ROOM_PATH);
    await expectLive(page);
    await page.getByPlaceholder("Type a message…").fill("Before");

    await clear(page);

    await expect(page.getByText("This page's saved data was deleted.")).toBeVisible();
    await expect(page.locator("article")).toHaveCount(3);
    await expect(page.getByPlaceholder("Type a message…")).toHaveValue("Before");
    await expectAccessible(page, { within: "#room" });
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await expect(page.getByText("Before", { exact: true })).toBeVisible();
    await page.getByPlaceholder("Type a message…").fill("Half wri");

    await page.getByRole("button", { name: "Reload" }).click();

    await expectLive(page);
    await expect(page.locator("article")).toHaveCount(4);
    await expect(page.getByPlaceholder("Type a message…")).toHaveValue("Half wri");
    await expect(page.getByText("This page's saved data was deleted.")).toBeHidden();
    await tomas.send("Welcome back");
    await expect(page.getByText("Welcome back", { exact: true })).toBeVisible();
  });
}
