import { expect, test } from "vitest";

import { action as changeHidden } from "#app/routes/room-hidden.ts";
import { expectConsoleError } from "#tests/support/console.ts";
import { openBrowser, visit } from "#tests/support/profile-browser.ts";
import { signIn, startApp } from "#tests/support/routes.ts";

test("lists hidden people in the profile, and shows one again", async () => {
  await using app = await startApp();
  const { person, browser } = await visit(app);
  const cookie = await signIn(app, person);
  for (const [uid, name] of [
    ["tomas", "Tomas Lund"],
    ["mira", ""],
  ] as const) {
    const form = { intent: "hide", person: uid, name };
    await app.send(changeHidden, "/rooms/general/hidden", { form, cookie });
  }
  const tab = "/profile?tab=hidden";
  expect((await browser.open(tab)).data).toMatchObject({
    tab: "hidden",
    hidden: [
      { uid: "mira", name: "Anonymous" },
      { uid: "tomas", name: "Tomas Lund" },
    ],
  });

  const response = await browser.submit("show-person", { person: "tomas" });

  expect([response.status, response.headers.get("Location")]).toEqual([
    303,
    "/profile?tab=hidden#show-person-flash",
  ]);
  expect((await browser.open(tab)).data).toMatchObject({
    flash: "person-shown",
    hidden: [{ uid: "mira" }],
  });
  const { data } = await browser.open();
  expect(data).toMatchObject({ tab: "name" });
  expect(data).not.toHaveProperty("hidden");
});

test("rejects an invalid id, and says when the person is still hidden", async () => {
  expectConsoleError();
  await using app = await startApp();
  const { person, browser } = await visit(app);
  expect((await browser.submit("show-person", { person: "../x" })).status).toBe(400);

  const cookie = await signIn(app, person);
  const broken = openBrowser(app.withVariables({ FIRESTORE_EMULATOR_HOST: "127.0.0.1:1" }), cookie);
  expect(await broken.submit("show-person", { person: "tomas" })).toMatchObject({
    status: 503,
    data: { form: "show-person", banner: { message: "They're still hidden." } },
  });
  expect((await broken.open("/profile?tab=hidden")).data).toMatchObject({ hidden: null });
});
