import "fake-indexeddb/auto";

import * as fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";

import type { MessageInput } from "#app/chat/message.ts";
import {
  createMemoryStore,
  createOutboxStore,
  type OutboxStore,
} from "#app/chat/outbox/outbox-store.ts";
import { createOutbox, type Outbox } from "#app/chat/outbox/outbox.ts";
import { postMessage, toError, type PostResult } from "#app/chat/outbox/post-message.ts";
import { createOutboxes } from "#app/chat/outbox/use-outbox.ts";

afterEach(() => vi.unstubAllGlobals());

/** The outcome of one request. After a lost response the message is stored, but the request has failed. */
type Outcome =
  | "succeeds"
  | "fails"
  | "response is lost"
  | "is denied"
  | "is too fast"
  | "is signed out";

interface Stored {
  id: string;
  text: string;
  uid: string | undefined;
}

/** Creates a browser with a fake server that recognises stored ids. Its tabs share storage and locks. */
function createBrowser() {
  const outcomes: Outcome[] = [];
  const posts: MessageInput[] = [];
  const room: Stored[] = [];
  const clock = { now: 0 };
  const waits: { ms: number; finish: () => void }[] = [];
  const locks = new Map<string, Promise<void>>();
  const stores = new Set<{ uid: string; notify: () => void }>();
  const memory = createMemoryStore();
  let ids = 0;
  let responses: (() => void)[] | null = null;

  /** The storage of one tab, which notifies the other tabs. */
  function createTabStore(isOpen: () => boolean): OutboxStore {
    const own = new Set<object>();
    return {
      get: (uid) => (isOpen() ? memory.get(uid) : new Promise(() => {})),
      async update(uid, change) {
        if (!isOpen()) return await new Promise(() => {});
        const result = await memory.update(uid, change);
        for (const one of stores) if (one.uid === uid && !own.has(one)) one.notify();
        return result;
      },
      subscribe(uid, onChange) {
        const one = { uid, notify: () => isOpen() && onChange() };
        own.add(one);
        stores.add(one);
      },
    };
  }

  async function post(message: MessageInput): Promise<PostResult> {
    posts.push(message);
    const outcome = outcomes.shift() ?? "succeeds";
    if (responses) await new Promise<void>((resolve) => responses?.push(resolve));
    const { id, text, uid } = message;
    if (outcome === "is denied") return toError(message, "denied", "");
    if (outcome === "is signed out") return toError(message, "unauthenticated", "");
    if (outcome === "is too fast") {
      return { ...toError(message, "too-fast", ""), retryAfterMs: 4000 };
    }
    if (outcome === "fails") return toError(message, "unavailable", "");
    if (!room.some((one) => one.id === id)) room.push({ id, text, uid });
    return outcome === "succeeds" ? { status: "sent", id } : toError(message, "unavailable", "");
  }

  return {
    outcomes,
    posts,
    room,
    clock,
    waits,
    texts: () => room.map(({ text }) => text),

    /** Opens a tab, which is `closed` like one that crashes: nothing of it continues. */
    openTab: (uid = "ana") => {
      let isOpen = true;
      const unlockers = new Set<() => void>();
      const outbox = createOutbox({
        uid,
        store: createTabStore(() => isOpen),
        post: async (message) => {
          const result = await post(message);
          return isOpen ? result : await new Promise<never>(() => {});
        },
        async withLock(name, task) {
          const before = locks.get(name) ?? Promise.resolve();
          let unlock = () => {};
          const closed = new Promise<void>((resolve) => (unlock = resolve));
          unlockers.add(unlock);
          const done = before.then(() => (isOpen ? Promise.race([task(), closed]) : undefined));
          locks.set(name, done);
          await done;
          if (!isOpen) await new Promise(() => {});
        },
        wait: (ms) =>
          new Promise((resolve) => {
            waits.push({ ms, finish: resolve });
          }),
        now: () => clock.now,
        createId: () => `id-${(ids += 1)}`,
      });
      return {
        outbox,
        close: () => {
          isOpen = false;
          for (const unlock of unlockers) unlock();
        },
        sendText: (text: string) => {
          outbox.setText(text);
          void outbox.send();
        },
        inputText: () => outbox.getState().input?.text ?? "",
        entries: () => outbox.getState().entries.map(({ text, status }) => `${text} ${status}`),
        /** Tells the outbox what the feed shows. */
        showStored: () => outbox.markShown(new Set(room.map(({ id }) => id))),
      };
    },

    /** Delays responses until it is called with `false`. */
    delayResponses: (isOn: boolean) => {
      const delayed = responses ?? [];
      responses = isOn ? [] : null;
      for (const respond of delayed) respond();
    },

    /** Ends all waits, as when the browser is back online. */
    goOnline: () => {
      for (const { finish } of waits.splice(0)) finish();
    },
  };
}

/** Waits until everything that can happen without another event has happened. */
async function settle() {
  for (let turns = 0; turns < 100; turns += 1) await Promise.resolve();
}

test("sends messages one at a time, in order, each with its own id and its writer's uid", async () => {
  const { openTab, posts, texts, delayResponses } = createBrowser();
  const { outbox, sendText } = openTab();
  await outbox.start();
  delayResponses(true);
  sendText("A");
  sendText("B");
  await settle();
  expect(posts.map(({ text }) => text)).toEqual(["A"]);
  expect(outbox.getState().entries.map(({ text }) => text)).toEqual(["A", "B"]);

  delayResponses(false);
  await settle();
  expect(texts()).toEqual(["A", "B"]);
  expect(new Set(posts.map(({ id }) => id)).size).toBe(2);
  expect(posts.map(({ uid }) => uid)).toEqual(["ana", "ana"]);
});

test("shows a message at once, and removes it once the feed shows it", async () => {
  const { openTab } = createBrowser();
  const { outbox, sendText, entries, showStored } = openTab();
  await outbox.start();
  sendText("A");
  expect(entries()).toEqual(["A waiting"]);

  await settle();
  expect(entries()).toEqual(["A sent"]);
  showStored();
  expect(entries()).toEqual([]);
});

test("waits while the server is unavailable, with growing delays, and then sends in order", async () => {
  const { openTab, outcomes, waits, goOnline, texts } = createBrowser();
  const { outbox, sendText, entries } = openTab();
  await outbox.start();
  outcomes.push("fails", "response is lost", "fails");
  sendText("A");
  sendText("B");
  await settle();
  expect(outbox.getState()).toMatchObject({ delay: { reason: "unavailable" }, error: null });
  expect(entries()).toEqual(["A waiting", "B waiting"]);

  const delays: number[] = [];
  while (waits.length > 0) {
    delays.push(...waits.map(({ ms }) => ms));
    goOnline();
    await settle();
  }
  expect(delays).toEqual([1000, 2000, 4000]);
  expect(texts()).toEqual(["A", "B"]);
  expect(outbox.getState().delay).toBeNull();
});

test("waits as long as the server says when the user sends too fast", async () => {
  const { openTab, outcomes, waits, goOnline, texts } = createBrowser();
  const { outbox, sendText } = openTab();
  await outbox.start();
  outcomes.push("is too fast");
  sendText("A");
  await settle();
  expect(waits.map(({ ms }) => ms)).toEqual([4000]);

  goOnline();
  await settle();
  expect(texts()).toEqual(["A"]);
});

test("keeps a rejected message, sends the next one, and sends the first again on demand", async () => {
  const { openTab, outcomes, texts } = createBrowser();
  const { outbox, sendText, entries, inputText } = openTab();
  await outbox.start();
  outcomes.push("is denied", "succeeds", "is denied", "is denied");
  sendText("A");
  sendText("B");
  await settle();
  expect(entries()).toEqual(["A failed", "B sent"]);
  expect(outbox.getState().error).toMatchObject({ reason: "denied" });

  const [first] = outbox.getState().entries;
  await outbox.retry(first?.id ?? "");
  await settle();
  expect(entries()).toEqual(["A failed", "B sent"]);
  outbox.setText("Typed");
  await outbox.edit(first?.id ?? "");
  expect(inputText()).toBe("Typed\nA");
  expect(entries()).toEqual(["B sent"]);

  sendText("C");
  await settle();
  const failed = outbox.getState().entries.find(({ status }) => status === "failed");
  await outbox.discard(failed?.id ?? "");
  expect(entries()).toEqual(["B sent"]);
  expect(texts()).toEqual(["B"]);
});

test("returns a message to the composer when the user is signed out, and waits for the sign-in", async () => {
  const { openTab, outcomes, texts } = createBrowser();
  const { outbox, sendText, inputText, entries } = openTab();
  await outbox.start();
  outcomes.push("is signed out");
  sendText("A");
  sendText("B");
  await settle();
  expect(inputText()).toBe("A");
  expect(entries()).toEqual(["B waiting"]);
  expect(outbox.getState().error).toMatchObject({ reason: "unauthenticated" });
  expect(texts()).toEqual([]);

  await outbox.start();
  await settle();
  expect(texts()).toEqual(["B"]);
});

test("keeps what is being typed when the user is signed out", async () => {
  const { openTab, outcomes, delayResponses } = createBrowser();
  const { outbox, sendText, inputText, entries } = openTab();
  await outbox.start();
  outcomes.push("is signed out");
  delayResponses(true);
  sendText("A");
  await settle();
  outbox.setText("B, half wri");
  delayResponses(false);
  await settle();

  expect(inputText()).toBe("B, half wri");
  expect(entries()).toEqual(["A waiting"]);
});

test("sends what a crashed tab has left, once, and restores the half-written text", async () => {
  const { openTab, outcomes, goOnline, texts, delayResponses } = createBrowser();
  const first = openTab();
  await first.outbox.start();
  outcomes.push("succeeds", "response is lost", "fails");
  delayResponses(true);
  for (const text of ["A", "B", "C"]) first.sendText(text);
  first.outbox.setText("D, half wri");
  await settle();
  first.close();
  delayResponses(false);
  await settle();

  const second = openTab();
  await second.outbox.start();
  await settle();
  while (second.outbox.getState().delay) {
    goOnline();
    await settle();
  }
  expect(texts()).toEqual(["A", "B", "C"]);
  expect(second.inputText()).toBe("D, half wri");
});

test("keeps the stored text and what was typed or quoted before it was loaded", async () => {
  const { openTab } = createBrowser();
  const first = openTab();
  await first.outbox.start();
  first.outbox.setText("Half wri");
  await settle();
  first.close();

  const second = openTab();
  second.outbox.appendText("A quote");
  await settle();
  await second.outbox.start();
  expect(second.inputText()).toBe("Half wri\nA quote");
  await settle();
  second.close();

  const third = openTab();
  await third.outbox.start();
  expect(third.inputText()).toBe("Half wri\nA quote");
});

test("shows another tab's messages, and continues to send them when that tab closes", async () => {
  const { openTab, outcomes, goOnline, texts } = createBrowser();
  const first = openTab();
  const second = openTab();
  await Promise.all([first.outbox.start(), second.outbox.start()]);
  outcomes.push("fails");
  first.sendText("A");
  await settle();
  second.sendText("B");
  await settle();
  expect(second.entries()).toEqual(["A waiting", "B waiting"]);
  expect(texts()).toEqual([]);

  first.close();
  await settle();
  goOnline();
  await settle();
  expect(texts()).toEqual(["A", "B"]);
});

test("another user of the browser neither sees nor sends a user's messages", async () => {
  const { openTab, outcomes, room } = createBrowser();
  const ana = openTab("ana");
  await ana.outbox.start();
  outcomes.push("fails");
  ana.sendText("A");
  ana.outbox.setText("Half wri");
  await settle();
  ana.close();

  const tomas = openTab("tomas");
  await tomas.outbox.start();
  tomas.sendText("Mine");
  await settle();
  expect(tomas.entries()).toEqual(["Mine sent"]);
  expect(room.map(({ text, uid }) => [text, uid])).toEqual([["Mine", "tomas"]]);

  const again = openTab("ana");
  await again.outbox.start();
  await settle();
  expect(again.inputText()).toBe("Half wri");
  expect(room.map(({ text, uid }) => [text, uid])).toEqual([
    ["Mine", "tomas"],
    ["A", "ana"],
  ]);
});

test("removes a message that the feed shows although its response was lost", async () => {
  const { openTab, outcomes, goOnline, posts } = createBrowser();
  const { outbox, sendText, entries, showStored } = openTab();
  await outbox.start();
  outcomes.push("response is lost");
  sendText("A");
  await settle();
  expect(entries()).toEqual(["A waiting"]);

  showStored();
  await settle();
  goOnline();
  await settle();
  expect(entries()).toEqual([]);
  expect(posts).toHaveLength(1);
});

test("removes a sent message that the feed does not show within five seconds", async () => {
  const { openTab, clock } = createBrowser();
  const { outbox, sendText, entries } = openTab();
  await outbox.start();
  sendText("A");
  await settle();

  clock.now = 5000;
  outbox.markShown(new Set());
  expect(entries()).toEqual(["A sent"]);
  clock.now = 5001;
  outbox.markShown(new Set());
  expect(entries()).toEqual([]);
});

test("sends a restored message with its own id, and does not overwrite typed text", async () => {
  const { openTab, posts } = createBrowser();
  const returned = { id: "lost", text: "A" };
  const error = toError(returned, "unavailable", "");
  const { outbox } = openTab();
  await outbox.start();
  outbox.restore({ id: "next", text: "A", returned }, error);
  expect(outbox.getState()).toMatchObject({ error });
  void outbox.send();
  await settle();
  expect(posts).toMatchObject([{ id: "lost", text: "A" }]);

  const other = createBrowser().openTab();
  other.outbox.setText("Typed");
  other.outbox.restore({ id: "next", text: "A", returned }, error);
  expect(other.inputText()).toBe("Typed");
});

test("empties the composer when the feed shows a restored message", async () => {
  const { openTab } = createBrowser();
  const { outbox, inputText } = openTab();
  const returned = { id: "lost", text: "A" };
  outbox.restore({ id: "next", text: "A", returned }, toError(returned, "unavailable", ""));

  outbox.markShown(new Set(["lost"]));
  expect(inputText()).toBe("");
  expect(outbox.getState().error).toBeNull();
});

test("appends lines below the typed text", () => {
  const { outbox, inputText } = createBrowser().openTab();
  outbox.appendText("One");
  outbox.appendText("Two");

  expect(inputText()).toBe("One\nTwo");
});

test("keeps a text that is too long in the composer, and does not send an empty one", async () => {
  const { openTab, posts } = createBrowser();
  const { outbox, sendText, inputText } = openTab();
  await outbox.start();
  sendText("x".repeat(4001));
  await settle();
  expect(inputText()).toHaveLength(4001);
  expect(outbox.getState().error).toMatchObject({
    reason: "invalid",
    message: "Not sent.",
    hint: "A message can have up to 4,000 characters.",
  });
  expect(posts).toEqual([]);
  sendText("x".repeat(4000));
  await settle();
  expect(posts).toHaveLength(1);

  sendText("  \n ");
  await settle();
  expect(posts).toHaveLength(1);
});

test.each([
  ["a proxy's error page", () => new Response("<h1>Bad gateway</h1>", { status: 502 })],
  ["a page with status 200", () => new Response("<h1>Welcome</h1>", { status: 200 })],
  ["unexpected JSON", () => Response.json({ status: "ok" })],
  ["a timeout", () => Promise.reject(new DOMException("Timed out", "TimeoutError"))],
])("reports %s as an unavailable room", async (_what, respond) => {
  vi.stubGlobal("fetch", async () => respond());

  expect(await postMessage({ id: "one", text: "Do not lose me" })).toMatchObject({
    reason: "unavailable",
    text: "Do not lose me",
    hint: "We can't reach the room right now. Your messages wait here and are sent automatically.",
  });
});

test("reports a network error as a missing connection", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));

  expect(await postMessage({ id: "one", text: "A" })).toMatchObject({
    hint: "No connection. Your messages wait here and are sent automatically.",
  });
});

test("creates one outbox per user of a tab", () => {
  const outboxes = createOutboxes();
  outboxes.get("ana").setText("Mine alone");

  expect(outboxes.get("tomas").getState().input).toBeNull();
  expect(outboxes.get(undefined).getState().input).toBeNull();
  expect(outboxes.get("ana").getState().input?.text).toBe("Mine alone");
});

test("restores a submitted message once, and only for the user who wrote it", () => {
  const outboxes = createOutboxes();
  const submitted = { status: "unsent", id: "one", text: "A" } as const;
  const input = { id: "one", text: "A", returned: null };

  outboxes.restore("ana", input, submitted);
  outboxes.get("ana").setText("");
  outboxes.restore("ana", input, submitted);
  outboxes.restore("tomas", input, submitted);

  expect(outboxes.get("ana").getState().input?.text).toBe("");
  expect(outboxes.get("tomas").getState().input).toBeNull();
});

test("stores an outbox in IndexedDB, for every tab", async () => {
  const [one, two] = [createOutboxStore(), createOutboxStore()];
  const changed = new Promise<void>((resolve) => two.subscribe("ida", resolve));
  await one.update("ida", (stored) => ({ ...stored, inputText: "Half wri" }));

  await changed;
  expect(await two.get("ida")).toEqual({ entries: [], inputText: "Half wri" });
  expect(await two.get("bo")).toEqual({ entries: [], inputText: "" });
});

test("stores an outbox in memory when the browser denies IndexedDB", async () => {
  vi.stubGlobal("indexedDB", {
    open: () => {
      throw new DOMException("Denied", "SecurityError");
    },
  });
  const store = createOutboxStore();
  await store.update("ana", (stored) => ({ ...stored, inputText: "Half wri" }));

  expect(await store.get("ana")).toMatchObject({ inputText: "Half wri" });
});

type Step =
  | { type: "send" | "show" | "online" | "settle" | "crash" | "start" }
  | { type: "outcome"; outcome: Outcome };

const step: fc.Arbitrary<Step & { tab: number }> = fc
  .tuple(
    fc.nat(2),
    fc.oneof(
      { weight: 4, arbitrary: fc.constant<Step>({ type: "send" }) },
      { weight: 3, arbitrary: fc.constant<Step>({ type: "settle" }) },
      fc.constantFrom<Step>(
        { type: "show" },
        { type: "online" },
        { type: "crash" },
        { type: "start" },
      ),
      {
        weight: 3,
        arbitrary: fc
          .constantFrom<Outcome>("fails", "response is lost", "is too fast", "succeeds")
          .map((outcome): Step => ({ type: "outcome", outcome })),
      },
    ),
  )
  .map(([tab, one]) => ({ ...one, tab }));

test("stores every message once, in the order of its tab, under its writer, whatever fails", async () => {
  const users = ["ana", "ana", "tomas"];
  const property = fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
    const browser = createBrowser();
    const { outcomes, room, goOnline, openTab } = browser;
    const tabs = users.map((uid) => openTab(uid));
    for (const { outbox } of tabs) await outbox.start();
    const sent: { text: string; uid: string | undefined; tab: number }[] = [];
    let count = 0;

    for (const { tab, ...one } of steps) {
      const current = tabs[tab];
      const uid = users[tab] ?? "";
      if (!current) continue;
      if (one.type === "send") {
        const text = `${(count += 1)}`;
        sent.push({ text, uid, tab });
        current.outbox.setText(text);
        await current.outbox.send();
      } else if (one.type === "outcome") outcomes.push(one.outcome);
      else if (one.type === "show") current.showStored();
      else if (one.type === "online") goOnline();
      else if (one.type === "start") void current.outbox.start();
      else if (one.type === "crash") {
        current.close();
        tabs[tab] = openTab(uid);
        await tabs[tab].outbox.start();
      } else await settle();
    }

    // At the end every request succeeds.
    outcomes.length = 0;
    const isWaiting = ({ outbox }: { outbox: Outbox }) =>
      outbox.getState().entries.some(({ status }) => status === "waiting");
    for (let turns = 0; turns < 100 && (turns < 3 || tabs.some(isWaiting)); turns += 1) {
      goOnline();
      await settle();
    }
    for (const { showStored } of tabs) showStored();
    await settle();

    const byText = (one: { text: string }, other: { text: string }) =>
      Number(one.text) - Number(other.text);
    expect(room.map(({ text, uid }) => ({ text, uid })).toSorted(byText)).toEqual(
      sent.map(({ text, uid }) => ({ text, uid })),
    );
    for (const uid of new Set(users)) {
      const texts = room.filter((one) => one.uid === uid).map(({ text }) => text);
      expect(texts).toEqual(sent.filter((one) => one.uid === uid).map(({ text }) => text));
    }
    expect(tabs.flatMap(({ entries }) => entries())).toEqual([]);
  });
  await fc.assert(property, { numRuns: 1000, seed: 20_261_122 });
});
