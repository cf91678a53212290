import * as fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";

import { createOutbox, getOutbox } from "#app/chat/outbox.ts";
import { postMessage, type MessagePost } from "#app/chat/post-message.ts";
import type { Refusal, SendReply } from "#app/chat/room-data.ts";

afterEach(() => vi.unstubAllGlobals());

/** How the way to the room treats one request: it may fail before the room, or only on the way back. */
type Fate = "arrives" | "fails" | "answer is lost" | "is refused";

/** An outbox before a room that knows ids, as the server does. */
function openBox(uid: string | undefined = "ana") {
  const fates: Fate[] = [];
  const posts: MessagePost[] = [];
  const room: { id: string; text: string }[] = [];
  const clock = { now: 0 };
  let ids = 0;
  let isHeld = false;
  let release = () => {};
  let answering = Promise.resolve();

  async function answer(message: MessagePost): Promise<SendReply> {
    posts.push(message);
    if (isHeld) await new Promise<void>((resolve) => (release = resolve));
    const { id, text } = message;
    const fate = fates.shift() ?? "arrives";
    const refusal: Refusal = { status: "refused", reason: "unreachable", id, text, message: "" };
    if (fate === "is refused") return { ...refusal, reason: "denied" };
    if (fate === "fails") return refusal;
    const stored = room.find((one) => one.id === id);
    // Another text under a used id becomes a message of its own.
    const storedId = stored && stored.text !== text ? `${id} ${text}` : id;
    if (!room.some((one) => one.id === storedId)) room.push({ id: storedId, text });
    return fate === "arrives" ? { status: "sent", id: storedId } : refusal;
  }

  const box = createOutbox({
    uid,
    post: (message) => {
      const reply = answer(message);
      answering = reply.then(() => {});
      return reply;
    },
    now: () => clock.now,
    createId: () => `id-${(ids += 1)}`,
  });

  return {
    box,
    fates,
    posts,
    room,
    clock,
    texts: () => room.map(({ text }) => text),
    draft: () => box.get().draft?.text ?? "",
    queue: () => box.get().queue.map(({ text, status }) => `${text} ${status}`),
    bubbles: () =>
      box
        .get()
        .queue.filter(({ isShown }) => !isShown)
        .map(({ text }) => text),
    say: (text: string) => {
      box.write(text);
      box.send();
    },
    /** The feed shows what the room holds. */
    show: () => box.confirm(new Set(room.map(({ id }) => id))),
    /** Keeps requests from being answered, until it is called with `false`. */
    hold: (isOn: boolean) => {
      isHeld = isOn;
      if (!isOn) release();
    },
    /** Waits until nothing is under way any more. */
    settle: async () => {
      let last;
      while (last !== answering) {
        last = answering;
        await last;
        await Promise.resolve();
        await Promise.resolve();
      }
    },
  };
}

test("messages are posted one after the other, each under an id of its own and for its writer", async () => {
  const { say, settle, posts, texts, bubbles, show } = openBox();
  say("A");
  say("B");
  expect(posts.map(({ text }) => text)).toEqual(["A"]);

  await settle();
  expect(texts()).toEqual(["A", "B"]);
  expect(new Set(posts.map(({ id }) => id)).size).toBe(2);
  expect(posts.map(({ uid }) => uid)).toEqual(["ana", "ana"]);
  expect(bubbles()).toEqual(["A", "B"]);
  show();
  expect(bubbles()).toEqual([]);
});

test("words of two messages never share an id, and none is said twice, when both failed and one had arrived", async () => {
  const { box, fates, say, settle, texts, draft, queue } = openBox();
  fates.push("answer is lost");
  say("A");
  say("B");
  await settle();

  expect(draft()).toBe("A");
  expect(queue()).toEqual(["B waiting"]);
  fates.push("arrives", "fails");
  box.send();
  await settle();
  expect([draft(), queue()]).toEqual(["B", ["A sent"]]);
  box.send();
  await settle();

  expect(texts()).toEqual(["A", "B"]);
});

test("a failed message stops those behind it, and goes before them when it is sent again", async () => {
  const { box, fates, say, settle, texts, queue } = openBox();
  fates.push("arrives", "fails");
  for (const text of ["B", "C", "D", "E"]) say(text);
  await settle();

  expect(texts()).toEqual(["B"]);
  expect(queue()).toEqual(["B sent", "D waiting", "E waiting"]);
  expect(box.get()).toMatchObject({ isPaused: true, refusal: { text: "C" } });
  box.send();
  await settle();

  expect(texts()).toEqual(["B", "C", "D", "E"]);
  expect(box.get()).toMatchObject({ isPaused: false, refusal: null });
});

test("a refused message never overwrites what is being typed, and is sent before it", async () => {
  const { box, fates, hold, say, settle, texts, draft, queue } = openBox();
  fates.push("is refused");
  hold(true);
  say("A");
  box.write("B, half wri");
  hold(false);
  await settle();

  expect(draft()).toBe("B, half wri");
  expect(queue()).toEqual(["A failed"]);
  box.write("B, half written");
  box.send();
  await settle();

  expect(texts()).toEqual(["A", "B, half written"]);
});

test("a message that was put back and is deleted in the composer does not hold up the others", async () => {
  const { box, fates, say, settle, texts, draft } = openBox();
  fates.push("is refused");
  for (const text of ["A", "B", "C"]) say(text);
  await settle();

  box.write("");
  box.sendAgain();
  say("D");
  await settle();

  expect(texts()).toEqual(["B", "C", "D"]);
  expect(draft()).toBe("");
});

test("a message that the server stored under another id leaves its bubble to that one", async () => {
  const { box, room, settle, bubbles } = openBox();
  room.push({ id: "used", text: "Something else" });
  box.open({ id: "used", text: "A", returned: null }, null);
  box.send();
  await settle();
  expect(bubbles()).toEqual(["A"]);

  box.confirm(new Set(["used A"]));

  expect(bubbles()).toEqual([]);
});

test("what a page came back with is sent first, under its own id, and gives way to what was typed since", async () => {
  const { box, posts, settle } = openBox();
  const returned = { id: "refused", text: "A" };
  const refusal = {
    ...returned,
    status: "refused",
    reason: "denied",
    message: "Not sent.",
  } as const;
  box.open({ id: "next", text: "A", returned }, refusal);
  expect(box.get()).toMatchObject({ refusal, isPaused: true });
  box.send();
  await settle();
  expect(posts).toMatchObject([{ id: "refused", text: "A" }]);

  const other = openBox();
  other.box.write("Typed");
  other.box.open({ id: "next", text: "A", returned }, refusal);
  expect(other.draft()).toBe("Typed");
});

test("lines that are added stand below what is written", () => {
  const { box, draft } = openBox();
  box.addLines("One");
  box.addLines("Two");

  expect(draft()).toBe("One\nTwo");
});

test("a message that was put back and changed is another message, still before those that wait", async () => {
  const { box, fates, say, settle, texts, posts } = openBox();
  fates.push("fails");
  say("A");
  say("B");
  await settle();

  box.write("A, better");
  box.send();
  await settle();

  expect(texts()).toEqual(["A, better", "B"]);
  expect(posts[1]?.id).not.toBe(posts[0]?.id);
});

test("a message that was put back, changed and changed back is the same message", async () => {
  const { box, fates, say, settle, room, posts } = openBox();
  fates.push("answer is lost");
  say("A");
  await settle();

  box.write("");
  box.write(" A ");
  box.send();
  await settle();

  expect(room).toEqual([{ id: posts[0]?.id, text: "A" }]);
});

test("a message whose answer was lost has no second bubble once the feed shows it", async () => {
  const { box, fates, say, settle, show, draft, texts, bubbles } = openBox();
  fates.push("answer is lost");
  say("A");
  say("B");
  await settle();
  expect(draft()).toBe("A");

  show();
  await settle();

  expect([draft(), bubbles(), texts()]).toEqual(["", ["B"], ["A", "B"]]);
  expect(box.get()).toMatchObject({ isPaused: false, refusal: null });
});

test("a message that the feed shows before its answer is lost does not come back", async () => {
  const { box, fates, hold, say, settle, show, draft, bubbles, posts, texts } = openBox();
  fates.push("answer is lost");
  hold(true);
  say("A");
  say("B");
  expect(bubbles()).toEqual(["A", "B"]);
  box.confirm(new Set([posts[0]?.id ?? ""]));
  expect(bubbles()).toEqual(["B"]);
  // The next must not overtake it.
  expect(posts).toHaveLength(1);

  hold(false);
  await settle();
  show();

  expect(texts()).toEqual(["A", "B"]);
  expect(box.get()).toMatchObject({ queue: [], refusal: null, isPaused: false });
  expect(draft()).toBe("");
});

test("words that were added to a message that came back stay when the feed shows that message", async () => {
  const { box, fates, say, settle, show, draft, room } = openBox();
  fates.push("answer is lost");
  say("A");
  await settle();
  box.write("A, and more");

  show();
  expect(draft()).toBe("A, and more");
  box.send();
  await settle();

  expect(room.map(({ text }) => text)).toEqual(["A", "A, and more"]);
  expect(room[1]?.id).toMatch(/^id-\d+$/);
});

test("a message that failed behind what is typed goes away once the feed shows it, and the next are sent", async () => {
  const { box, fates, hold, say, settle, show, draft, texts, queue } = openBox();
  fates.push("answer is lost");
  hold(true);
  say("A");
  say("B");
  box.write("C");
  hold(false);
  await settle();
  expect(queue()).toEqual(["A failed", "B waiting"]);

  show();
  await settle();
  expect(texts()).toEqual(["A", "B"]);
  expect(draft()).toBe("C");
  expect(box.get().refusal).toBeNull();
});

test("a stored message that the feed does not show leaves with the first change after five seconds", async () => {
  const { box, clock, say, settle, bubbles } = openBox();
  say("A");
  await settle();

  clock.now = 5000;
  box.confirm(new Set());
  expect(bubbles()).toEqual(["A"]);
  clock.now = 5001;
  box.confirm(new Set());
  expect(bubbles()).toEqual([]);
});

test("a text that is too long stays in the composer, and an empty one is not sent", async () => {
  const { box, posts, say, settle, draft } = openBox();
  say("x".repeat(4001));
  await settle();
  expect(draft()).toHaveLength(4001);
  expect(box.get().refusal).toMatchObject({
    reason: "invalid",
    message: "Not sent.",
    hint: "A message can have up to 4,000 characters.",
  });
  expect(posts).toEqual([]);
  say("x".repeat(4000));
  await settle();
  expect(posts).toHaveLength(1);

  say("  \n ");
  await settle();
  expect(posts).toHaveLength(1);
});

test.each([
  ["a proxy's page of an error", () => new Response("<h1>Bad gateway</h1>", { status: 502 })],
  ["a page that says all is well", () => new Response("<h1>Welcome</h1>", { status: 200 })],
  ["JSON of another kind", () => Response.json({ status: "ok" })],
  ["nothing in time", () => Promise.reject(new DOMException("Timed out", "TimeoutError"))],
])("the text comes back when the server's place is taken by %s", async (_what, answer) => {
  vi.stubGlobal("fetch", async () => answer());
  const box = createOutbox({
    uid: "ana",
    post: postMessage,
    now: Date.now,
    createId: () => crypto.randomUUID(),
  });

  box.write("Do not lose me");
  box.send();

  await expect.poll(() => box.get().draft?.text).toBe("Do not lose me");
  expect(box.get()).toMatchObject({
    queue: [],
    isPaused: true,
    refusal: {
      message: "Not sent.",
      hint: "We can't reach the room right now. Nothing was lost; try again.",
    },
  });
});

test("everybody who signs in in a tab has an outbox of their own, and finds it again", () => {
  // As in a browser.
  Object.assign(globalThis, { document: {} });
  try {
    getOutbox("ana").write("Mine alone");

    expect(getOutbox("tomas").get().draft).toBeNull();
    expect(getOutbox(undefined).get().draft).toBeNull();
    expect(getOutbox("ana").get().draft?.text).toBe("Mine alone");
  } finally {
    Reflect.deleteProperty(globalThis, "document");
  }
});

test("the server keeps nobody's outbox", () => {
  getOutbox("bo").write("Mine alone");

  expect(getOutbox("bo").get().draft).toBeNull();
});

type Step =
  | { type: "say" | "type" }
  | { type: "press" | "again" | "show" | "settle" }
  | { type: "fate"; fate: Fate };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Step>({ type: "say" }) },
  fc.constantFrom<Step>(
    { type: "type" },
    { type: "press" },
    { type: "again" },
    { type: "show" },
    { type: "settle" },
  ),
  fc
    .constantFrom<Fate>("arrives", "fails", "answer is lost", "is refused")
    .map((fate) => ({ type: "fate", fate }) as const),
);

test("whatever fails, every message is said once and in order, and nothing typed is lost", async () => {
  const property = fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
    const { box, fates, say, settle, show, draft, texts } = openBox();
    const said: string[] = [];
    let typed: string | null = null;
    let count = 0;
    for (const { type, ...rest } of steps) {
      if (type === "say" && draft() === "") {
        said.push(`${(count += 1)}`);
        say(`${count}`);
      } else if (type === "type" && draft() === "") {
        typed = `${(count += 1)}`;
        box.write(typed);
      } else if (type === "press") {
        if (typed !== null && draft() === typed) said.push(typed);
        if (draft() === typed) typed = null;
        box.send();
      } else if (type === "again") {
        const { isPaused, draft: written } = box.get();
        if (isPaused && !written?.returned) box.sendAgain();
      } else if (type === "fate" && "fate" in rest) {
        fates.push(rest.fate);
      } else if (type === "show") {
        show();
      } else {
        await settle();
      }
      if (typed !== null) expect(draft()).toBe(typed);
    }
    // In the end everything works, and whoever is told that something was not sent presses Send.
    fates.length = 0;
    if (typed !== null) said.push(typed);
    do {
      box.send();
      box.sendAgain();
      await settle();
    } while (draft() !== "");
    show();

    expect(texts()).toEqual(said);
    expect(box.get().queue).toEqual([]);
  });
  await fc.assert(property, { numRuns: 1000, seed: 20_260_301 });
});
