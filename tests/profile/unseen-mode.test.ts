import { expect, test } from "vitest";

import { expectConsoleError } from "#tests/support/console.ts";
import { readDatabase, writeDatabase } from "#tests/support/database-values.ts";
import { openBrowser, visit } from "#tests/support/profile-browser.ts";
import { signIn, startApp } from "#tests/support/routes.ts";
import { sendJson, startServer } from "#tests/support/server.ts";

const TAB = "/profile?tab=data";

test("turns the unseen mode on and off, and removes what others see of the user", async () => {
  await using app = await startApp();
  const { person, browser } = await visit(app);
  const path = `status/${person.localId}`;
  await writeDatabase(app, path, { state: "online", last_changed: 1 });
  expect((await browser.open(TAB)).data).toMatchObject({ isUnseen: false });

  const response = await browser.submit("save-unseen", { unseen: "true" });

  expect([response.status, response.headers.get("Location")]).toEqual([
    303,
    "/profile?tab=data#save-unseen-flash",
  ]);
  expect((await browser.open(TAB)).data).toMatchObject({ flash: "unseen-saved", isUnseen: true });
  expect(await readDatabase(app, path)).toBeNull();

  // A switch that is off is not part of the form.
  await browser.submit("save-unseen", {});
  expect((await browser.open(TAB)).data).toMatchObject({ isUnseen: false });
  expect((await browser.open()).data).not.toHaveProperty("isUnseen");
});

test("says that the setting cannot be read or saved while the database is unavailable", async () => {
  await using app = await startApp();
  const { person } = await visit(app);
  const cookie = await signIn(app, person);
  const variables = { FIREBASE_DATABASE_EMULATOR_HOST: "127.0.0.1:1" };
  const broken = openBrowser(app.withVariables(variables), cookie);

  expect((await broken.open(TAB)).data).toMatchObject({ isUnseen: null });
  expect(await broken.submit("save-unseen", { unseen: "true" })).toMatchObject({
    status: 503,
    data: { form: "save-unseen", banner: { message: "Not saved." } },
  });
});

test("says that the setting was not saved when the database rejects it", async () => {
  await using app = await startApp();
  const { person } = await visit(app);
  const cookie = await signIn(app, person);
  await using database = await startServer((response) =>
    sendJson(response, 401, { error: "Permission denied" }),
  );
  const variables = { FIREBASE_DATABASE_EMULATOR_HOST: database.host };
  const rejected = openBrowser(app.withVariables(variables), cookie);
  expectConsoleError();

  expect(await rejected.submit("save-unseen", { unseen: "true" })).toMatchObject({
    status: 503,
    data: {
      form: "save-unseen",
      banner: {
        message: "Not saved.",
        hint: "Our database rejected the change. Nothing was changed; try again.",
      },
    },
  });
});
