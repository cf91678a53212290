import { expect, test } from "vitest";

import { loader as homeLoader } from "#app/routes/home.tsx";
import { action, loader } from "#app/routes/profile.tsx";
import { expectConsoleError } from "#tests/support/console.ts";
import { signIn, startApp } from "#tests/support/routes.ts";

const PHOTO = "https://example.com/ana.png";

test("shows a line of 200 characters about the writer, with name and photo, on their page", async () => {
  await using app = await startApp();
  const account = await app.firebase.addAccount({ displayName: "Ana Reyes", photoUrl: PHOTO });
  const cookie = await signIn(app, account);
  const about = `${"Ghosts, ".repeat(24)}manners.`;

  const saved = await app.send(action, "/profile", {
    form: { intent: "save-about", about: ` ${about} ` },
    cookie,
  });
  expect(saved.status).toBe(303);
  expect(saved.headers.get("Location")).toBe("/profile?tab=name#save-about-flash");

  expect(await app.send(loader, "/profile", { cookie })).toMatchObject({ data: { about } });
  expect(await app.send(homeLoader, `/home?writer=${account.localId}`)).toMatchObject({
    data: { writer: { name: "Ana Reyes", about, photoURL: PHOTO } },
  });
});

test("a new name and photo are also those of the writer's page", async () => {
  await using app = await startApp();
  const account = await app.firebase.addAccount({ displayName: "Ana Reyes" });
  const cookie = await signIn(app, account);
  const change = (form: Record<string, string>) => app.send(action, "/profile", { form, cookie });
  await change({ intent: "save-about", about: "Ghosts." });

  const saved = await change({
    intent: "save-profile",
    ...{ displayName: "Ana Vale", photoURL: PHOTO },
  });

  expect(saved.status).toBe(303);
  expect(await app.send(homeLoader, `/home?writer=${account.localId}`)).toMatchObject({
    data: { writer: { name: "Ana Vale", about: "Ghosts.", photoURL: PHOTO } },
  });
});

test("rejects a line that is too long or has two lines, and keeps it in the form", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());

  for (const about of ["x".repeat(201), "ж".repeat(20_000), "one\ntwo"]) {
    const form = { intent: "save-about", about };
    expect(await app.send(action, "/profile", { form, cookie })).toMatchObject({
      status: 400,
      data: { form: "save-about", fieldErrors: { about: [expect.any(String)] }, values: { about } },
    });
  }
});

test("says that the line is not saved while the database is unavailable", async () => {
  expectConsoleError();
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const disconnected = app.withVariables({ FIRESTORE_EMULATOR_HOST: "127.0.0.1:1" });

  const form = { intent: "save-about", about: "Ghosts." };
  expect(await disconnected.send(action, "/profile", { form, cookie })).toMatchObject({
    status: 503,
    data: { form: "save-about", banner: { message: "Not saved." } },
  });
});
