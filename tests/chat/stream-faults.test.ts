import { setTimeout as delay } from "node:timers/promises";

import { deleteApp, getApps, setLogLevel } from "firebase/app";
import * as fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { PAGE_SIZE } from "#app/chat/message.ts";
import type { LiveMessagePage } from "#app/chat/messages.client.ts";
import { subscribeWithRetry } from "#app/chat/use-feed.ts";
import type { FirebaseConfig } from "#app/firebase/config.ts";
import { startFaultProxy, type Fault } from "#tests/support/fault-proxy.ts";
import { isGoogleFirestore, startFirebase, type TestFirebase } from "#tests/support/firebase.ts";

// The browser's SDK listens over WebChannel: HTTP requests with streamed responses. In Node.js, `firebase` would use
// gRPC.
vi.mock("firebase/firestore", () =>
  vi.importActual("../../node_modules/@firebase/firestore/dist/index.esm.js"),
);

const MIN_MESSAGES = 12;
/** How much faster time passes for the SDK's waits. */
const SPEED = 40;
const STEP_MS = 5;

const startRealTimer = globalThis.setTimeout;

beforeEach(() => {
  vi.stubGlobal("window", new EventTarget());
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  const startFakeTimer = globalThis.setTimeout;
  // The SDK delivers each snapshot in a timer without delay. Of two such fake timers, the earlier one would end last if it
  // was set while time is advanced.
  vi.stubGlobal("setTimeout", (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
    ms > 0 ? startFakeTimer(run, ms, ...args) : startRealTimer(run, ms, ...args),
  );
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const faultArbitrary = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Fault>("none") },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Fault>("cut", "lost", "midway", "twice", "late", "error"),
  },
);

interface Posted {
  id: string;
  text: string;
  uid: string;
}

/** Writes a message as the server does, bypassing the rules. */
async function post({ hosts, projectId }: TestFirebase, { id, text, uid }: Posted) {
  const root = `projects/${projectId}/databases/(default)/documents`;
  const write = {
    update: {
      name: `${root}/rooms/general/messages/${id}`,
      fields: {
        text: { stringValue: text },
        uid: { stringValue: uid },
        displayName: { stringValue: uid },
        photoURL: { nullValue: null },
      },
    },
    updateTransforms: [{ fieldPath: "createdAt", setToServerValue: "REQUEST_TIME" }],
  };
  const response = await fetch(`http://${hosts.FIRESTORE_EMULATOR_HOST}/v1/${root}:commit`, {
    method: "POST",
    headers: { Authorization: "Bearer owner", "Content-Type": "application/json" },
    body: JSON.stringify({ writes: [write] }),
  });
  expect(response.status).toBe(200);
}

/** Lets some real time pass for the network, and `SPEED` times as much for the SDK's waits. */
async function pass(): Promise<void> {
  await delay(STEP_MS);
  await vi.advanceTimersByTimeAsync(STEP_MS * SPEED);
}

async function passUntil(isTrue: () => boolean): Promise<void> {
  for (let steps = 0; !isTrue(); steps += 1) {
    if (steps > 2000) throw new Error("It did not become true");
    await pass();
  }
}

/** Subscribes to the room in a new page, through a proxy. */
async function openRoom(config: FirebaseConfig) {
  // The app connects once for each page.
  vi.resetModules();
  const { subscribeToMessages, subscribeToRecords } = await import("#app/chat/messages.client.ts");
  // The SDK logs each failure.
  setLogLevel("silent");
  const pages: LiveMessagePage[] = [];
  const unsubscribe = subscribeWithRetry<LiveMessagePage>(
    async (listener) => subscribeToMessages(config, listener),
    { onValue: (page) => pages.push(page), onError: () => {} },
  );
  let unsubscribeFromEdits = () => {};
  return {
    pages,
    /** Subscribes to later edits. That takes two requests, because one ends the previous subscription. */
    subscribeToEdits(since: number) {
      unsubscribeFromEdits();
      const ignore = () => {};
      unsubscribeFromEdits = subscribeToRecords(config, "edits", since, {
        onValue: ignore,
        onError: ignore,
      });
    },
    async [Symbol.asyncDispose]() {
      unsubscribe();
      let isDeleted = false;
      const deletion = Promise.all(getApps().map(deleteApp)).then(() => (isDeleted = true));
      // It may wait for a timer.
      await Promise.all([deletion, passUntil(() => isDeleted)]);
    },
  };
}

// Google's emulator does not keep up with the faster clock. The browser tests cut its connections too.
test.skipIf(isGoogleFirestore).each([1, 2, 3, 4])(
  "whichever requests fail, messages are shown once, in order, under their authors: seed %i",
  async (seed) => {
    await using firebase = await startFirebase();
    const faults = fc.sample(faultArbitrary, { seed, numRuns: 60 });
    await using proxy = await startFaultProxy(
      firebase.hosts.FIRESTORE_EMULATOR_HOST,
      () => faults.pop() ?? "none",
    );
    const emulators = { firestore: proxy.host };
    const { projectId, apiKey } = firebase;
    const config = { projectId, apiKey, appId: undefined, databaseURL: undefined, emulators };
    await using room = await openRoom(config);
    const posted: Posted[] = [];

    for (let count = 0; count < MIN_MESSAGES || faults.length > 0; count += 1) {
      // The page shows the latest messages only.
      if (count < PAGE_SIZE) {
        const uid = count % 3 === 0 ? "tomas" : "ana";
        const message = { id: `message-${count}`, text: `Message ${count}`, uid };
        await post(firebase, message);
        posted.push(message);
      }
      room.subscribeToEdits(count);
      for (let steps = 0; steps < 10; steps += 1) await pass();
      // Makes the SDK send another request.
      proxy.cutAll();
    }
    const getShown = () => room.pages.at(-1);
    await passUntil(() => getShown()?.messages.length === posted.length);
    await passUntil(() => getShown()?.isConfirmed === true);

    expect(new Set(proxy.log.map(({ fault }) => fault)).size, "every fault occurs").toBe(7);
    let longest = 0;
    for (const { messages } of room.pages) {
      const shown = messages.map(({ id, text, uid }) => ({ id, text, uid }));
      expect(shown).toEqual(posted.slice(0, shown.length));
      expect(shown.length).toBeGreaterThanOrEqual(longest);
      longest = shown.length;
    }
  },
);
