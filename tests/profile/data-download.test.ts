import { expect, test } from "vitest";

import { action as create } from "#app/routes/create.tsx";
import { loader as download } from "#app/routes/profile.data.ts";
import { action as changeHidden } from "#app/routes/room-hidden.ts";
import { createDraftForm } from "#tests/support/create-page.ts";
import { fillRoom } from "#tests/support/fill-room.ts";
import { readJson, signIn, startApp } from "#tests/support/routes.ts";

test("downloads everything of the user as one JSON file, and nothing of others", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount({ displayName: "Ana Reyes" });
  const other = await app.firebase.addAccount();
  const cookie = await signIn(app, person);
  const drafts = Array.from({ length: 11 }, (_, number) =>
    createDraftForm({ title: `Story ${number}`, text: `${number} ${"tide ".repeat(50_000)}` }),
  );
  for (const form of drafts) await app.send(create, "/create", { form, cookie });
  const otherCookie = await signIn(app, other);
  await app.send(create, "/create", { form: createDraftForm(), cookie: otherCookie });
  await fillRoom(app.firebase, other, 3, ["Not mine"]);
  // Replaces two of these messages, because `fillRoom` numbers its ids from 0 each time.
  await fillRoom(app.firebase, person, 2, ["Mine"]);
  const hide = { intent: "hide", person: "tomas", name: "Tomas Lund" };
  await app.send(changeHidden, "/rooms/general/hidden", { form: hide, cookie });

  const response = await app.send(download, "/profile/data", { cookie });

  expect(response.headers.get("Content-Disposition")).toBe('attachment; filename="inkglade.json"');
  const file = (await readJson(response)) as { drafts: { id: string; text: string }[] };
  expect(file).toMatchObject({
    account: { displayName: "Ana Reyes", email: person.email },
    about: "",
    isUnseen: false,
    isUncounted: false,
    countedStories: [],
    messages: [{ text: "Mine" }, { text: "Mine" }],
    readingPositions: [],
    hiddenPeople: [{ id: "tomas", name: "Tomas Lund" }],
  });
  const texts = new Map(file.drafts.map(({ id, text }) => [id, text]));
  expect(texts).toEqual(new Map(drafts.map(({ id, text }) => [id, text])));
});

test("redirects a visitor to sign in", async () => {
  await using app = await startApp();

  const { status, headers } = await app.send(download, "/profile/data");

  expect([status, headers.get("Location")]).toEqual([302, "/login"]);
});
