import { expect, test } from "vitest";

import { toMessageForm } from "#app/chat/post-message.ts";
import { createDocumentId } from "#app/firebase/document-id.ts";
import { action } from "#app/routes/home.tsx";
import { action as messagesAction } from "#app/routes/room-messages.ts";
import { setRateRecord } from "#tests/support/rate-records.ts";
import { readMessages } from "#tests/support/room-feed.ts";
import { readJson, signIn, startApp } from "#tests/support/routes.ts";

test("rejects a sixth message within ten seconds, with the time to wait", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount();
  const cookie = await signIn(app, person);
  // Almost two seconds remain, rounded up. Set before each request, so that one may take most of a second.
  const setFull = () =>
    setRateRecord(app.firebase.hosts, person.localId, "messages", [8050, 4000, 3000, 2000, 1000]);
  const input = { id: createDocumentId(), text: "Too fast" };
  const error = {
    status: "error",
    reason: "too-fast",
    message: "Not sent.",
    hint: "You can send another message in 2 seconds.",
    ...input,
  };

  await setFull();
  const page = await app.send(action, "/home", { form: toMessageForm(input), cookie });
  expect(page).toMatchObject({ status: 429, data: error });
  expect(page.headers.get("Retry-After")).toBe("2");
  await setFull();
  const script = await app.send(messagesAction, "/rooms/general/messages", {
    form: toMessageForm(input),
    cookie,
  });
  expect(script.status).toBe(429);
  expect(script.headers.get("Retry-After")).toBe("2");
  expect(await readJson(script)).toEqual(error);
  expect(await readMessages(app)).toEqual([]);

  await setRateRecord(
    app.firebase.hosts,
    person.localId,
    "messages",
    [10_000, 4000, 3000, 2000, 1000],
  );
  expect((await app.send(action, "/home", { form: toMessageForm(input), cookie })).status).toBe(
    303,
  );
  expect(await readMessages(app)).toMatchObject([{ text: "Too fast" }]);
});

test("says how long to wait after thirty messages in a minute", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount();
  const cookie = await signIn(app, person);
  const ages = Array.from({ length: 30 }, (_, index) => 50_050 - index * 1000);
  await setRateRecord(app.firebase.hosts, person.localId, "messages", ages);

  const form = toMessageForm({ id: createDocumentId(), text: "Too many" });
  const { status, headers } = await app.send(action, "/home", { form, cookie });

  expect(status).toBe(429);
  // The first of them is 50 seconds old.
  expect(Number(headers.get("Retry-After"))).toBeGreaterThanOrEqual(9);
  expect(Number(headers.get("Retry-After"))).toBeLessThanOrEqual(10);
});

test("counts a form once, even if it is sent again", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const input = { id: createDocumentId(), text: "Once" };

  for (let count = 0; count < 8; count += 1) {
    expect((await app.send(action, "/home", { form: toMessageForm(input), cookie })).status).toBe(
      303,
    );
  }
  const others = Array.from({ length: 4 }, () => ({ id: createDocumentId(), text: "Another" }));
  for (const other of others) {
    expect((await app.send(action, "/home", { form: toMessageForm(other), cookie })).status).toBe(
      303,
    );
  }
  expect(await readMessages(app)).toHaveLength(5);
});

test("stores five messages sent at the same time, and rejects the next five", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const send = async () => {
    const input = { id: createDocumentId(), text: "At once" };
    return (await app.send(action, "/home", { form: toMessageForm(input), cookie })).status;
  };

  expect(await Promise.all(Array.from({ length: 5 }, send))).toEqual([303, 303, 303, 303, 303]);
  expect(await Promise.all(Array.from({ length: 5 }, send))).toEqual([429, 429, 429, 429, 429]);
  expect(await readMessages(app)).toHaveLength(5);
});
