import { expect, test } from "vitest";

import { toMessageForm } from "#app/chat/post-message.ts";
import { createDocumentId } from "#app/firebase/document-id.ts";
import { action } from "#app/routes/home.tsx";
import { action as messagesAction } from "#app/routes/room-messages.ts";
import { setRateRecord } from "#tests/support/rate-records.ts";
import { readMessages } from "#tests/support/room-feed.ts";
import { readJson, signIn, startApp } from "#tests/support/routes.ts";

/**
 * Expects the header to say how long to wait, in seconds rounded up.
 *
 * @param waitMs the wait at `startedAt` or soon afterwards
 */
function expectRetryAfter({ headers }: { headers: Headers }, waitMs: number, startedAt: number) {
  const seconds = Number(headers.get("Retry-After"));
  const leastMs = waitMs - (Date.now() - startedAt);
  expect(seconds).toBeGreaterThanOrEqual(Math.max(1, Math.ceil(leastMs / 1000)));
  expect(seconds).toBeLessThanOrEqual(Math.ceil(waitMs / 1000));
  return seconds;
}

test("rejects a sixth message within ten seconds, with the time to wait", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount();
  const cookie = await signIn(app, person);
  const setAges = (ages: number[]) =>
    setRateRecord(app.firebase.hosts, person.localId, "messages", ages);
  const full = [1050, 800, 600, 400, 200];
  const input = { id: createDocumentId(), text: "Too fast" };
  const createError = (seconds: number) => ({
    status: "error",
    reason: "too-fast",
    message: "Not sent.",
    hint: `You can send another message in ${seconds} second${seconds === 1 ? "" : "s"}.`,
    ...input,
  });

  let startedAt = Date.now();
  await setAges(full);
  const page = await app.send(action, "/home", { form: toMessageForm(input), cookie });
  const pageSeconds = expectRetryAfter(page, 8950, startedAt);
  expect(page).toMatchObject({ status: 429, data: createError(pageSeconds) });
  startedAt = Date.now();
  await setAges(full);
  const script = await app.send(messagesAction, "/rooms/general/messages", {
    form: toMessageForm(input),
    cookie,
  });
  expect(script.status).toBe(429);
  const scriptSeconds = expectRetryAfter(script, 8950, startedAt);
  expect(await readJson(script)).toEqual(createError(scriptSeconds));
  expect(await readMessages(app)).toEqual([]);

  await setAges([10_000, 800, 600, 400, 200]);
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
  const startedAt = Date.now();
  await setRateRecord(app.firebase.hosts, person.localId, "messages", ages);

  const form = toMessageForm({ id: createDocumentId(), text: "Too many" });
  const response = await app.send(action, "/home", { form, cookie });

  expect(response.status).toBe(429);
  expectRetryAfter(response, 9950, startedAt);
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
