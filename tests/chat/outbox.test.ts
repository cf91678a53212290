import * as fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";

import type { MessageError, MessageInput, MessageResult } from "#app/chat/message.ts";
import { createOutbox, createOutboxes, postMessage } from "#app/chat/outbox.ts";

afterEach(() => vi.unstubAllGlobals());

/** What happens to one request. A lost answer means that the message was stored. */
type Fate = "arrives" | "fails" | "answer is lost" | "is denied";

/** An outbox with a server that recognises stored ids. */
function openBox(uid: string | undefined = "ana") {
  const fates: Fate[] = [];
  const posts: MessageInput[] = [];
  const room: { id: string; text: string }[] = [];
  const clock = { now: 0 };
  let ids = 0;
  let isHeld = false;
  let release = () => {};
  let answering = Promise.resolve();

  async function answer(message: MessageInput): Promise<MessageResult> {
    posts.push(message);
    if (isHeld) await new Promise<void>((resolve) => (release = resolve));
    const { id, text } = message;
    const fate = fates.shift() ?? "arrives";
    const error: MessageError = { status: "error", reason: "unavailable", id, text, message: "" };
    if (fate === "is denied") return { ...error, reason: "denied" };
    if (fate === "fails") return error;
    const stored = room.find((one) => one.id === id);
    // Another text under a used id is stored under another id.
    const storedId = stored && stored.text !== text ? `${id} ${text}` : id;
    if (!room.some((one) => one.id === storedId)) room.push({ id: storedId, text });
    return fate === "arrives" ? { status: "sent", id: storedId } : error;
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
    draft: () => box.getState().input?.text ?? "",
    queue: () => box.getState().queue.map(({ text, status }) => `${text} ${status}`),
    bubbles: () =>
      box
        .getState()
        .queue.filter(({ isShown }) => !isShown)
        .map(({ text }) => text),
    say: (text: string) => {
      box.setText(text);
      box.send();
    },
    /** Marks the stored messages as shown. */
    show: () => box.markShown(new Set(room.map(({ id }) => id))),
    /** Delays answers until it is called with `false`. */
    hold: (isOn: boolean) => {
      isHeld = isOn;
      if (!isOn) release();
    },
    /** Waits until all requests are answered. */
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

test("sends messages one after the other, each with an id of its own and the uid of its writer", async () => {
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

test("stores no text twice and no two texts under one id when both failed and one had been stored", async () => {
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

test("holds back the messages behind a failed one, and sends them after it", async () => {
  const { box, fates, say, settle, texts, queue } = openBox();
  fates.push("arrives", "fails");
  for (const text of ["B", "C", "D", "E"]) say(text);
  await settle();

  expect(texts()).toEqual(["B"]);
  expect(queue()).toEqual(["B sent", "D waiting", "E waiting"]);
  expect(box.getState()).toMatchObject({ isPaused: true, error: { text: "C" } });
  box.send();
  await settle();

  expect(texts()).toEqual(["B", "C", "D", "E"]);
  expect(box.getState()).toMatchObject({ isPaused: false, error: null });
});

test("does not overwrite what is being typed with a denied message, and sends that message first", async () => {
  const { box, fates, hold, say, settle, texts, draft, queue } = openBox();
  fates.push("is denied");
  hold(true);
  say("A");
  box.setText("B, half wri");
  hold(false);
  await settle();

  expect(draft()).toBe("B, half wri");
  expect(queue()).toEqual(["A failed"]);
  box.setText("B, half written");
  box.send();
  await settle();

  expect(texts()).toEqual(["A", "B, half written"]);
});

test("sends the messages that wait once the failed one has been deleted in the composer", async () => {
  const { box, fates, say, settle, texts, draft } = openBox();
  fates.push("is denied");
  for (const text of ["A", "B", "C"]) say(text);
  await settle();

  box.setText("");
  box.retry();
  say("D");
  await settle();

  expect(texts()).toEqual(["B", "C", "D"]);
  expect(draft()).toBe("");
});

test("removes the bubble of a message that was stored under another id", async () => {
  const { box, room, settle, bubbles } = openBox();
  room.push({ id: "used", text: "Something else" });
  box.restore({ id: "used", text: "A", returned: null }, null);
  box.send();
  await settle();
  expect(bubbles()).toEqual(["A"]);

  box.markShown(new Set(["used A"]));

  expect(bubbles()).toEqual([]);
});

test("sends a submitted message first, with its own id, and keeps what has been typed since", async () => {
  const { box, posts, settle } = openBox();
  const returned = { id: "refused", text: "A" };
  const error = {
    ...returned,
    status: "error",
    reason: "denied",
    message: "Not sent.",
  } as const;
  box.restore({ id: "next", text: "A", returned }, error);
  expect(box.getState()).toMatchObject({ error, isPaused: true });
  box.send();
  await settle();
  expect(posts).toMatchObject([{ id: "refused", text: "A" }]);

  const other = openBox();
  other.box.setText("Typed");
  other.box.restore({ id: "next", text: "A", returned }, error);
  expect(other.draft()).toBe("Typed");
});

test("appends lines below what has been typed", () => {
  const { box, draft } = openBox();
  box.appendText("One");
  box.appendText("Two");

  expect(draft()).toBe("One\nTwo");
});

test("sends a failed message that was edited as another message, before those that wait", async () => {
  const { box, fates, say, settle, texts, posts } = openBox();
  fates.push("fails");
  say("A");
  say("B");
  await settle();

  box.setText("A, better");
  box.send();
  await settle();

  expect(texts()).toEqual(["A, better", "B"]);
  expect(posts[1]?.id).not.toBe(posts[0]?.id);
});

test("sends a failed message that was edited and restored with its own id", async () => {
  const { box, fates, say, settle, room, posts } = openBox();
  fates.push("answer is lost");
  say("A");
  await settle();

  box.setText("");
  box.setText(" A ");
  box.send();
  await settle();

  expect(room).toEqual([{ id: posts[0]?.id, text: "A" }]);
});

test("shows one bubble for a message whose answer was lost", async () => {
  const { box, fates, say, settle, show, draft, texts, bubbles } = openBox();
  fates.push("answer is lost");
  say("A");
  say("B");
  await settle();
  expect(draft()).toBe("A");

  show();
  await settle();

  expect([draft(), bubbles(), texts()]).toEqual(["", ["B"], ["A", "B"]]);
  expect(box.getState()).toMatchObject({ isPaused: false, error: null });
});

test("does not put back a message that the feed showed before its answer was lost", async () => {
  const { box, fates, hold, say, settle, show, draft, bubbles, posts, texts } = openBox();
  fates.push("answer is lost");
  hold(true);
  say("A");
  say("B");
  expect(bubbles()).toEqual(["A", "B"]);
  box.markShown(new Set([posts[0]?.id ?? ""]));
  expect(bubbles()).toEqual(["B"]);
  // The next message must not overtake it.
  expect(posts).toHaveLength(1);

  hold(false);
  await settle();
  show();

  expect(texts()).toEqual(["A", "B"]);
  expect(box.getState()).toMatchObject({ queue: [], error: null, isPaused: false });
  expect(draft()).toBe("");
});

test("keeps the words added to a failed message when the feed shows that message", async () => {
  const { box, fates, say, settle, show, draft, room } = openBox();
  fates.push("answer is lost");
  say("A");
  await settle();
  box.setText("A, and more");

  show();
  expect(draft()).toBe("A, and more");
  box.send();
  await settle();

  expect(room.map(({ text }) => text)).toEqual(["A", "A, and more"]);
  expect(room[1]?.id).toMatch(/^id-\d+$/);
});

test("removes a failed message from the queue once the feed shows it, and sends the next", async () => {
  const { box, fates, hold, say, settle, show, draft, texts, queue } = openBox();
  fates.push("answer is lost");
  hold(true);
  say("A");
  say("B");
  box.setText("C");
  hold(false);
  await settle();
  expect(queue()).toEqual(["A failed", "B waiting"]);

  show();
  await settle();
  expect(texts()).toEqual(["A", "B"]);
  expect(draft()).toBe("C");
  expect(box.getState().error).toBeNull();
});

test("removes a stored message that the feed has not shown for five seconds", async () => {
  const { box, clock, say, settle, bubbles } = openBox();
  say("A");
  await settle();

  clock.now = 5000;
  box.markShown(new Set());
  expect(bubbles()).toEqual(["A"]);
  clock.now = 5001;
  box.markShown(new Set());
  expect(bubbles()).toEqual([]);
});

test("keeps a text that is too long in the composer, and does not send an empty one", async () => {
  const { box, posts, say, settle, draft } = openBox();
  say("x".repeat(4001));
  await settle();
  expect(draft()).toHaveLength(4001);
  expect(box.getState().error).toMatchObject({
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
  ["an error page of a proxy", () => new Response("<h1>Bad gateway</h1>", { status: 502 })],
  ["a page with status 200", () => new Response("<h1>Welcome</h1>", { status: 200 })],
  ["another kind of JSON", () => Response.json({ status: "ok" })],
  ["a timeout", () => Promise.reject(new DOMException("Timed out", "TimeoutError"))],
])("puts the text back when the answer is %s", async (_what, answer) => {
  vi.stubGlobal("fetch", async () => answer());
  const box = createOutbox({
    uid: "ana",
    post: postMessage,
    now: Date.now,
    createId: () => crypto.randomUUID(),
  });

  box.setText("Do not lose me");
  box.send();

  await expect.poll(() => box.getState().input?.text).toBe("Do not lose me");
  expect(box.getState()).toMatchObject({
    queue: [],
    isPaused: true,
    error: {
      message: "Not sent.",
      hint: "We can't reach the room right now. Nothing was lost; try again.",
    },
  });
});

test("gives each user of a tab an outbox of their own, and the same one again", () => {
  const outboxes = createOutboxes();
  outboxes.get("ana").setText("Mine alone");

  expect(outboxes.get("tomas").getState().input).toBeNull();
  expect(outboxes.get(undefined).getState().input).toBeNull();
  expect(outboxes.get("ana").getState().input?.text).toBe("Mine alone");
});

test("shares no outbox between two tabs, or two requests on the server", () => {
  createOutboxes().get("bo").setText("Mine alone");

  expect(createOutboxes().get("bo").getState().input).toBeNull();
});

test("restores a submitted message once, for the user who wrote it", () => {
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
    .constantFrom<Fate>("arrives", "fails", "answer is lost", "is denied")
    .map((fate) => ({ type: "fate", fate }) as const),
);

test("stores every message once and in order, and loses nothing typed, whatever fails", async () => {
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
        box.setText(typed);
      } else if (type === "press") {
        if (typed !== null && draft() === typed) said.push(typed);
        if (draft() === typed) typed = null;
        box.send();
      } else if (type === "again") {
        const { isPaused, input } = box.getState();
        if (isPaused && !input?.returned) box.retry();
      } else if (type === "fate" && "fate" in rest) {
        fates.push(rest.fate);
      } else if (type === "show") {
        show();
      } else {
        await settle();
      }
      if (typed !== null) expect(draft()).toBe(typed);
    }
    // In the end every request succeeds, and the user sends what is left in the composer.
    fates.length = 0;
    if (typed !== null) said.push(typed);
    do {
      box.send();
      box.retry();
      await settle();
    } while (draft() !== "");
    show();

    expect(texts()).toEqual(said);
    expect(box.getState().queue).toEqual([]);
  });
  await fc.assert(property, { numRuns: 1000, seed: 20_260_301 });
});
