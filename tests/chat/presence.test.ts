import { afterEach, expect, test, vi } from "vitest";

import { createPresenceSessions } from "#app/chat/use-presence.ts";
import type { FirebaseConfig } from "#app/firebase/config.ts";

const FIREBASE: FirebaseConfig = {
  apiKey: "local",
  projectId: "demo-inkglade",
  appId: undefined,
  databaseURL: "http://127.0.0.1:9000",
  emulators: {},
};

const LISTENERS = {
  onPeople: () => {},
  onTyping: () => {},
  onUnseen: () => {},
  onMute: () => {},
};

afterEach(() => vi.useRealTimers());

/** Creates presence sessions that record their events. A presence ends when the test calls `allowEnd`. */
function startSessions() {
  const events: string[] = [];
  const ends = new Map<string, () => void>();
  let failures = 0;
  const sessions = createPresenceSessions(async () => ({
    startPresence: async (_config, { uid }) => {
      if (failures > 0) {
        failures -= 1;
        throw new Error("The sign-in failed");
      }
      events.push(`${uid} starts`);
      return {
        setTyping: (isTyping) => void events.push(`${uid} ${isTyping ? "types" : "stops typing"}`),
        setUnseen: (isUnseen) => void events.push(`${uid} ${isUnseen ? "hides" : "shows"}`),
        async end() {
          events.push(`${uid} ends`);
          await new Promise<void>((resolve) => ends.set(uid, resolve));
        },
      };
    },
  }));
  return {
    events,
    failNext: (count: number) => void (failures = count),
    start: (uid: string) =>
      sessions.start(FIREBASE, { uid, displayName: null, photoURL: null }, LISTENERS),
    allowEnd: (uid: string) => ends.get(uid)?.(),
  };
}

test("starts the next user's presence after the previous user's has ended", async () => {
  vi.useFakeTimers();
  const { events, start, allowEnd } = startSessions();
  const ana = start("ana");
  await vi.advanceTimersByTimeAsync(0);
  expect(events).toEqual(["ana starts"]);

  ana.end();
  start("tomas");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(events).toEqual(["ana starts", "ana ends"]);
  allowEnd("ana");
  await vi.advanceTimersByTimeAsync(0);

  expect(events).toEqual(["ana starts", "ana ends", "tomas starts"]);
});

test("does not start a presence that ends before Firebase has loaded", async () => {
  const { events, start } = startSessions();
  start("ana").end();
  start("tomas");

  await expect.poll(() => events).toEqual(["tomas starts"]);
});

test("starts a presence again after failures, with growing delays", async () => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  const { events, start, failNext } = startSessions();
  failNext(3);
  start("ana");

  await vi.advanceTimersByTimeAsync(1000 + 2000 + 4000 - 1);
  expect(events).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(events).toEqual(["ana starts"]);
});

test("starts the next presence after one that ends while it cannot start", async () => {
  vi.useFakeTimers();
  const { events, start, failNext } = startSessions();
  failNext(1);
  const ana = start("ana");
  await vi.advanceTimersByTimeAsync(0);
  ana.end();
  start("tomas");

  await vi.advanceTimersByTimeAsync(120_000);
  expect(events).toEqual(["tomas starts"]);
});

test("reports typing once, and its end three seconds after the last keystroke", async () => {
  vi.useFakeTimers();
  const { events, start } = startSessions();
  const session = start("ana");

  session.onKeystroke();
  await vi.advanceTimersByTimeAsync(2999);
  session.onKeystroke();
  await vi.advanceTimersByTimeAsync(2999);
  expect(events).toEqual(["ana starts", "ana types"]);
  await vi.advanceTimersByTimeAsync(1);
  expect(events).toEqual(["ana starts", "ana types", "ana stops typing"]);
});

test("reports no typing after the presence has ended", async () => {
  vi.useFakeTimers();
  const { events, start } = startSessions();
  const session = start("ana");
  session.onKeystroke();
  await vi.advanceTimersByTimeAsync(0);

  session.end();
  session.onKeystroke();
  await vi.advanceTimersByTimeAsync(10_000);

  expect(events).toEqual(["ana starts", "ana types", "ana ends"]);
});

test("sets the unseen mode until the presence has ended", async () => {
  const { events, start } = startSessions();
  const session = start("ana");

  session.setUnseen(true);
  await expect.poll(() => events).toEqual(["ana starts", "ana hides"]);
  session.end();
  session.setUnseen(false);

  await expect.poll(() => events).toEqual(["ana starts", "ana hides", "ana ends"]);
});
