import * as fc from "fast-check";
import { expect, test } from "vitest";

import { toMessageForm } from "#app/chat/post-message.ts";
import { createDocumentId } from "#app/firebase/document-id.ts";
import { loader } from "#app/routes/home.tsx";
import { action as changeMessage } from "#app/routes/room-message.ts";
import { action as createMessage } from "#app/routes/room-messages.ts";
import type { RoomData } from "#app/chat/message.ts";
import { expectConsoleError } from "#tests/support/console.ts";
import { startFaultProxy, type Fault } from "#tests/support/fault-proxy.ts";
import { clearRateRecords } from "#tests/support/rate-records.ts";
import { signIn, startApp, type TestApp } from "#tests/support/routes.ts";

const STEPS = 20;
const MAX_TRIES = 30;

const stepArbitrary = fc.record({
  kind: fc.constantFrom("create", "create", "edit", "delete"),
  /** Chooses one of the user's messages. */
  at: fc.nat(),
});

const faultArbitrary = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Fault>("none") },
  { weight: 4, arbitrary: fc.constantFrom<Fault>("cut", "lost", "twice", "error", "late") },
);

/** Repeats a request with the same fields until the server accepts it, as the outbox does. */
async function sendUntilAccepted(
  app: TestApp,
  action: Parameters<TestApp["send"]>[0],
  path: string,
  options: Parameters<TestApp["send"]>[2],
): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const { status } = await app.send(action, path, options);
    if (status === 200) return;
    expect(status, "a fault is never taken for a refusal").toBe(503);
  }
  throw new Error(`${path} was never accepted`);
}

/** Performs steps one after the other as a new user, and returns what the room should contain of them. */
async function performSteps(app: TestApp, direct: TestApp, steps: { kind: string; at: number }[]) {
  const person = await direct.firebase.addAccount({ displayName: "Ana" });
  const cookie = await signIn(direct, person);
  const messages: { id: string; text: string; uid: string }[] = [];
  for (const [index, { kind, at }] of steps.entries()) {
    const message = messages[at % messages.length];
    if (kind === "create" || !message) {
      await clearRateRecords(direct.firebase.hosts, person.localId);
      const input = { id: createDocumentId(), text: `Message ${index}` };
      const form = toMessageForm(input);
      await sendUntilAccepted(app, createMessage, "/rooms/general/messages", { form, cookie });
      messages.push({ ...input, uid: person.localId });
      continue;
    }
    const path = `/rooms/general/messages/${message.id}`;
    const text = `Edited ${index}`;
    const form: Record<string, string> =
      kind === "edit" ? { intent: kind, text } : { intent: kind };
    await sendUntilAccepted(app, changeMessage, path, { form, cookie, params: { id: message.id } });
    if (kind === "edit") message.text = text;
    else messages.splice(messages.indexOf(message), 1);
  }
  return messages;
}

test.each([1, 2, 3])(
  "every accepted message is stored once, in order, while the database fails: seed %i",
  async (seed) => {
    expectConsoleError();
    await using direct = await startApp();
    const faults = fc.sample(faultArbitrary, { seed, numRuns: 1000 });
    let isReliable = false;
    await using proxy = await startFaultProxy(direct.firebase.hosts.FIRESTORE_EMULATOR_HOST, () =>
      isReliable ? "none" : (faults.pop() ?? "none"),
    );
    const app = direct.withVariables({ FIRESTORE_EMULATOR_HOST: proxy.host });
    const users = fc.sample(
      fc.array(stepArbitrary, { minLength: STEPS, maxLength: STEPS, size: "max" }),
      { seed, numRuns: 2 },
    );

    // Two users at the same time.
    const expected = await Promise.all(users.map((steps) => performSteps(app, direct, steps)));

    isReliable = true;
    const { data } = await app.send(loader, "/home");
    // `send` returns untyped data.
    const { feed } = (data as { room: RoomData }).room;
    const stored = feed.status === "loaded" ? feed.messages : [];
    for (const messages of expected) {
      const own = stored.filter(({ uid }) => uid === messages[0]?.uid);
      expect(own.map(({ id, text, uid }) => ({ id, text, uid }))).toEqual(messages);
    }
    expect(stored).toHaveLength(expected.flat().length);
    expect(new Set(proxy.log.map(({ fault }) => fault)).size, "every fault occurs").toBe(6);
  },
);
