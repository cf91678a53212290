import * as fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";

import type { MessageError, MessageInput, MessageResult } from "#app/chat/message.ts";
import { createOutbox, createOutboxes, postMessage } from "#app/chat/outbox.ts";

afterEach(() => vi.unstubAllGlobals());

/** The outcome of one request. After a lost response the message is stored, but the request has failed. */
type Outcome = "succeeds" | "fails" | "response is lost" | "is denied";

/** Creates an outbox with a fake server that recognises stored ids. */
function createTestOutbox(uid: string | undefined = "ana") {
  const outcomes: Outcome[] = [];
  const posts: MessageInput[] = [];
  const room: { id: string; text: string }[] = [];
  const clock = { now: 0 };
  let ids = 0;
  let isDelayed = false;
  let release = () => {};
  let lastResponse = Promise.resolve();

  async function respond(message: MessageInput): Promise<MessageResult> {
    posts.push(message);
    if (isDelayed) await new Promise<void>((resolve) => (release = resolve));
    const { id, text } = message;
    const outcome = outcomes.shift() ?? "succeeds";
    const error: MessageError = { status: "error", reason: "unavailable", id, text, message: "" };
    if (outcome === "is denied") return { ...error, reason: "denied" };
    if (outcome === "fails") return error;
    const stored = room.find((one) => one.id === id);
    // A different text with a used id gets another id.
    const storedId = stored && stored.text !== text ? `${id} ${text}` : id;
    if (!room.some((one) => one.id === storedId)) room.push({ id: storedId, text });
    return outcome === "succeeds" ? { status: "sent", id: storedId } : error;
  }

  const outbox = createOutbox({
    uid,
    post: (message) => {
      const response = respond(message);
      lastResponse = response.then(() => {});
      return response;
    },
    now: () => clock.now,
    createId: () => `id-${(ids += 1)}`,
  });

  return {
    outbox,
    outcomes,
    posts,
    room,
    clock,
    texts: () => room.map(({ text }) => text),
    inputText: () => outbox.getState().input?.text ?? "",
    queue: () => outbox.getState().queue.map(({ text, status }) => `${text} ${status}`),
    bubbles: () =>
      outbox
        .getState()
        .queue.filter(({ isShown }) => !isShown)
        .map(({ text }) => text),
    sendText: (text: string) => {
      outbox.setText(text);
      outbox.send();
    },
    /** Marks the stored messages as shown. */
    showStored: () => outbox.markShown(new Set(room.map(({ id }) => id))),
    /** Delays responses until it is called with `false`. */
    delayResponses: (isOn: boolean) => {
      isDelayed = isOn;
      if (!isOn) release();
    },
    /** Waits until all requests have finished. */
    waitForRequests: async () => {
      let last;
      while (last !== lastResponse) {
        last = lastResponse;
        await last;
        await Promise.resolve();
        await Promise.resolve();
      }
    },
  };
}

test("sends messages one at a time, each with its own id and its writer's uid", async () => {
  const { sendText, waitForRequests, posts, texts, bubbles, showStored } = createTestOutbox();
  sendText("A");
  sendText("B");
  expect(posts.map(({ text }) => text)).toEqual(["A"]);

  await waitForRequests();
  expect(texts()).toEqual(["A", "B"]);
  expect(new Set(posts.map(({ id }) => id)).size).toBe(2);
  expect(posts.map(({ uid }) => uid)).toEqual(["ana", "ana"]);
  expect(bubbles()).toEqual(["A", "B"]);
  showStored();
  expect(bubbles()).toEqual([]);
});

test("stores each text once, under its own id, after a lost response and a failed request", async () => {
  const { outbox, outcomes, sendText, waitForRequests, texts, inputText, queue } =
    createTestOutbox();
  outcomes.push("response is lost");
  sendText("A");
  sendText("B");
  await waitForRequests();

  expect(inputText()).toBe("A");
  expect(queue()).toEqual(["B waiting"]);
  outcomes.push("succeeds", "fails");
  outbox.send();
  await waitForRequests();
  expect([inputText(), queue()]).toEqual(["B", ["A sent"]]);
  outbox.send();
  await waitForRequests();

  expect(texts()).toEqual(["A", "B"]);
});

test("delays the messages after a failed one, and sends them after it", async () => {
  const { outbox, outcomes, sendText, waitForRequests, texts, queue } = createTestOutbox();
  outcomes.push("succeeds", "fails");
  for (const text of ["B", "C", "D", "E"]) sendText(text);
  await waitForRequests();

  expect(texts()).toEqual(["B"]);
  expect(queue()).toEqual(["B sent", "D waiting", "E waiting"]);
  expect(outbox.getState()).toMatchObject({ isPaused: true, error: { text: "C" } });
  outbox.send();
  await waitForRequests();

  expect(texts()).toEqual(["B", "C", "D", "E"]);
  expect(outbox.getState()).toMatchObject({ isPaused: false, error: null });
});

test("keeps the typed text when a message is denied, and sends that message first", async () => {
  const { outbox, outcomes, delayResponses, sendText, waitForRequests, texts, inputText, queue } =
    createTestOutbox();
  outcomes.push("is denied");
  delayResponses(true);
  sendText("A");
  outbox.setText("B, half wri");
  delayResponses(false);
  await waitForRequests();

  expect(inputText()).toBe("B, half wri");
  expect(queue()).toEqual(["A failed"]);
  outbox.setText("B, half written");
  outbox.send();
  await waitForRequests();

  expect(texts()).toEqual(["A", "B, half written"]);
});

test("sends the waiting messages after the failed one is deleted in the composer", async () => {
  const { outbox, outcomes, sendText, waitForRequests, texts, inputText } = createTestOutbox();
  outcomes.push("is denied");
  for (const text of ["A", "B", "C"]) sendText(text);
  await waitForRequests();

  outbox.setText("");
  outbox.retry();
  sendText("D");
  await waitForRequests();

  expect(texts()).toEqual(["B", "C", "D"]);
  expect(inputText()).toBe("");
});

test("removes the bubble of a message that was stored under another id", async () => {
  const { outbox, room, waitForRequests, bubbles } = createTestOutbox();
  room.push({ id: "used", text: "Something else" });
  outbox.restore({ id: "used", text: "A", returned: null }, null);
  outbox.send();
  await waitForRequests();
  expect(bubbles()).toEqual(["A"]);

  outbox.markShown(new Set(["used A"]));

  expect(bubbles()).toEqual([]);
});

test("sends a restored message with its own id, and does not overwrite typed text", async () => {
  const { outbox, posts, waitForRequests } = createTestOutbox();
  const returned = { id: "denied", text: "A" };
  const error = {
    ...returned,
    status: "error",
    reason: "denied",
    message: "Not sent.",
  } as const;
  outbox.restore({ id: "next", text: "A", returned }, error);
  expect(outbox.getState()).toMatchObject({ error, isPaused: true });
  outbox.send();
  await waitForRequests();
  expect(posts).toMatchObject([{ id: "denied", text: "A" }]);

  const other = createTestOutbox();
  other.outbox.setText("Typed");
  other.outbox.restore({ id: "next", text: "A", returned }, error);
  expect(other.inputText()).toBe("Typed");
});

test("appends lines below the typed text", () => {
  const { outbox, inputText } = createTestOutbox();
  outbox.appendText("One");
  outbox.appendText("Two");

  expect(inputText()).toBe("One\nTwo");
});

test("sends an edited failed message as a new message, before the waiting ones", async () => {
  const { outbox, outcomes, sendText, waitForRequests, texts, posts } = createTestOutbox();
  outcomes.push("fails");
  sendText("A");
  sendText("B");
  await waitForRequests();

  outbox.setText("A, better");
  outbox.send();
  await waitForRequests();

  expect(texts()).toEqual(["A, better", "B"]);
  expect(posts[1]?.id).not.toBe(posts[0]?.id);
});

test("reuses the id of a failed message when an edit is undone", async () => {
  const { outbox, outcomes, sendText, waitForRequests, room, posts } = createTestOutbox();
  outcomes.push("response is lost");
  sendText("A");
  await waitForRequests();

  outbox.setText("");
  outbox.setText(" A ");
  outbox.send();
  await waitForRequests();

  expect(room).toEqual([{ id: posts[0]?.id, text: "A" }]);
});

test("shows one bubble for a message whose response was lost", async () => {
  const { outbox, outcomes, sendText, waitForRequests, showStored, inputText, texts, bubbles } =
    createTestOutbox();
  outcomes.push("response is lost");
  sendText("A");
  sendText("B");
  await waitForRequests();
  expect(inputText()).toBe("A");

  showStored();
  await waitForRequests();

  expect([inputText(), bubbles(), texts()]).toEqual(["", ["B"], ["A", "B"]]);
  expect(outbox.getState()).toMatchObject({ isPaused: false, error: null });
});

test("does not return a message to the composer when the feed has already shown it", async () => {
  const {
    outbox,
    outcomes,
    delayResponses,
    sendText,
    waitForRequests,
    showStored,
    inputText,
    bubbles,
    posts,
    texts,
  } = createTestOutbox();
  outcomes.push("response is lost");
  delayResponses(true);
  sendText("A");
  sendText("B");
  expect(bubbles()).toEqual(["A", "B"]);
  outbox.markShown(new Set([posts[0]?.id ?? ""]));
  expect(bubbles()).toEqual(["B"]);
  // The next message must not overtake it.
  expect(posts).toHaveLength(1);

  delayResponses(false);
  await waitForRequests();
  showStored();

  expect(texts()).toEqual(["A", "B"]);
  expect(outbox.getState()).toMatchObject({ queue: [], error: null, isPaused: false });
  expect(inputText()).toBe("");
});

test("keeps text added to a failed message when the feed shows that message", async () => {
  const { outbox, outcomes, sendText, waitForRequests, showStored, inputText, room } =
    createTestOutbox();
  outcomes.push("response is lost");
  sendText("A");
  await waitForRequests();
  outbox.setText("A, and more");

  showStored();
  expect(inputText()).toBe("A, and more");
  outbox.send();
  await waitForRequests();

  expect(room.map(({ text }) => text)).toEqual(["A", "A, and more"]);
  expect(room[1]?.id).toMatch(/^id-\d+$/);
});

test("removes a failed message from the queue once the feed shows it, and sends the next", async () => {
  const {
    outbox,
    outcomes,
    delayResponses,
    sendText,
    waitForRequests,
    showStored,
    inputText,
    texts,
    queue,
  } = createTestOutbox();
  outcomes.push("response is lost");
  delayResponses(true);
  sendText("A");
  sendText("B");
  outbox.setText("C");
  delayResponses(false);
  await waitForRequests();
  expect(queue()).toEqual(["A failed", "B waiting"]);

  showStored();
  await waitForRequests();
  expect(texts()).toEqual(["A", "B"]);
  expect(inputText()).toBe("C");
  expect(outbox.getState().error).toBeNull();
});

test("removes a stored message that the feed does not show within five seconds", async () => {
  const { outbox, clock, sendText, waitForRequests, bubbles } = createTestOutbox();
  sendText("A");
  await waitForRequests();

  clock.now = 5000;
  outbox.markShown(new Set());
  expect(bubbles()).toEqual(["A"]);
  clock.now = 5001;
  outbox.markShown(new Set());
  expect(bubbles()).toEqual([]);
});

test("keeps a text that is too long in the composer, and does not send an empty one", async () => {
  const { outbox, posts, sendText, waitForRequests, inputText } = createTestOutbox();
  sendText("x".repeat(4001));
  await waitForRequests();
  expect(inputText()).toHaveLength(4001);
  expect(outbox.getState().error).toMatchObject({
    reason: "invalid",
    message: "Not sent.",
    hint: "A message can have up to 4,000 characters.",
  });
  expect(posts).toEqual([]);
  sendText("x".repeat(4000));
  await waitForRequests();
  expect(posts).toHaveLength(1);

  sendText("  \n ");
  await waitForRequests();
  expect(posts).toHaveLength(1);
});

test.each([
  ["a proxy's error page", () => new Response("<h1>Bad gateway</h1>", { status: 502 })],
  ["a page with status 200", () => new Response("<h1>Welcome</h1>", { status: 200 })],
  ["unexpected JSON", () => Response.json({ status: "ok" })],
  ["a timeout", () => Promise.reject(new DOMException("Timed out", "TimeoutError"))],
])("returns the text to the composer after %s", async (_what, respond) => {
  vi.stubGlobal("fetch", async () => respond());
  const outbox = createOutbox({
    uid: "ana",
    post: postMessage,
    now: Date.now,
    createId: () => crypto.randomUUID(),
  });

  outbox.setText("Do not lose me");
  outbox.send();

  await expect.poll(() => outbox.getState().input?.text).toBe("Do not lose me");
  expect(outbox.getState()).toMatchObject({
    queue: [],
    isPaused: true,
    error: {
      message: "Not sent.",
      hint: "We can't reach the room right now. Nothing was lost; try again.",
    },
  });
});

test("creates one outbox per user of a tab", () => {
  const outboxes = createOutboxes();
  outboxes.get("ana").setText("Mine alone");

  expect(outboxes.get("tomas").getState().input).toBeNull();
  expect(outboxes.get(undefined).getState().input).toBeNull();
  expect(outboxes.get("ana").getState().input?.text).toBe("Mine alone");
});

test("shares no outbox between tabs or server requests", () => {
  createOutboxes().get("bo").setText("Mine alone");

  expect(createOutboxes().get("bo").getState().input).toBeNull();
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

type Step =
  | { type: "sendText" | "type" }
  | { type: "send" | "retry" | "showStored" | "waitForRequests" }
  | { type: "outcome"; outcome: Outcome };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Step>({ type: "sendText" }) },
  fc.constantFrom<Step>(
    { type: "type" },
    { type: "send" },
    { type: "retry" },
    { type: "showStored" },
    { type: "waitForRequests" },
  ),
  fc
    .constantFrom<Outcome>("succeeds", "fails", "response is lost", "is denied")
    .map((outcome) => ({ type: "outcome", outcome }) as const),
);

test("stores every message once and in order, and keeps typed text, whatever fails", async () => {
  const property = fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
    const { outbox, outcomes, sendText, waitForRequests, showStored, inputText, texts } =
      createTestOutbox();
    const expected: string[] = [];
    let typed: string | null = null;
    let count = 0;
    for (const { type, ...rest } of steps) {
      if (type === "sendText" && inputText() === "") {
        expected.push(`${(count += 1)}`);
        sendText(`${count}`);
      } else if (type === "type" && inputText() === "") {
        typed = `${(count += 1)}`;
        outbox.setText(typed);
      } else if (type === "send") {
        if (typed !== null && inputText() === typed) expected.push(typed);
        if (inputText() === typed) typed = null;
        outbox.send();
      } else if (type === "retry") {
        const { isPaused, input } = outbox.getState();
        if (isPaused && !input?.returned) outbox.retry();
      } else if (type === "outcome" && "outcome" in rest) {
        outcomes.push(rest.outcome);
      } else if (type === "showStored") {
        showStored();
      } else {
        await waitForRequests();
      }
      if (typed !== null) expect(inputText()).toBe(typed);
    }
    // At the end every request succeeds, and the user sends the remaining text.
    outcomes.length = 0;
    if (typed !== null) expected.push(typed);
    do {
      outbox.send();
      outbox.retry();
      await waitForRequests();
    } while (inputText() !== "");
    showStored();

    expect(texts()).toEqual(expected);
    expect(outbox.getState().queue).toEqual([]);
  });
  await fc.assert(property, { numRuns: 1000, seed: 20_260_301 });
});
