import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { speak } from "#app/reading/listening/voices.ts";

type Behaviour = "ends" | "never ends" | "stuck" | "silent" | "not-allowed" | "interrupted";

/** How long every utterance of the fake voice takes. */
const SPEAKING_MS = 5000;

class FakeErrorEvent extends Event {
  error: string;

  constructor(error: string) {
    super("error");
    this.error = error;
  }
}

/** Calls the handlers of its events, as browsers do. */
class FakeUtterance extends EventTarget {
  onend?: (event: Event) => void;
  onerror?: (event: Event) => void;

  constructor() {
    super();
    this.addEventListener("end", (event) => this.onend?.(event));
    this.addEventListener("error", (event) => this.onerror?.(event));
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("SpeechSynthesisUtterance", FakeUtterance);
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Speaks with a voice of a browser that behaves in one of these ways. */
function start(behaviour: Behaviour) {
  const fake = {
    speaking: false,
    pending: false,
    paused: false,
    cancels: 0,
    resume: () => {},
    cancel() {
      fake.cancels += 1;
      fake.speaking = false;
    },
    speak(utterance: EventTarget) {
      if (behaviour === "silent") return;
      fake.speaking = true;
      setTimeout(() => {
        if (behaviour === "stuck") return;
        fake.speaking = false;
        if (behaviour === "ends") utterance.dispatchEvent(new Event("end"));
        else if (behaviour !== "never ends") utterance.dispatchEvent(new FakeErrorEvent(behaviour));
      }, SPEAKING_MS);
    },
  };
  const calls: string[] = [];
  const cancel = speak(fake, {
    text: "One.",
    language: "en",
    voice: undefined,
    rate: 1,
    duration: SPEAKING_MS,
    onEnd: () => calls.push("end"),
    onFail: (isBlocked) => calls.push(isBlocked ? "blocked" : "fail"),
  });
  return { calls, cancel, fake };
}

test("an utterance ends once, also when the browser never says so", () => {
  for (const behaviour of ["ends", "never ends"] as const) {
    const { calls } = start(behaviour);
    vi.advanceTimersByTime(SPEAKING_MS - 1);
    expect(calls).toEqual([]);
    vi.advanceTimersByTime(60_000);
    expect(calls).toEqual(["end"]);
  }
});

test("a voice that is stuck is cancelled, long after it should have ended", () => {
  const { calls, fake } = start("stuck");
  vi.advanceTimersByTime(2 * SPEAKING_MS);
  expect(calls).toEqual([]);
  vi.advanceTimersByTime(2 * SPEAKING_MS);
  expect(calls).toEqual(["end"]);
  expect(fake.cancels).toBe(1);
});

test("a voice that another page has paused is not stuck", () => {
  const { calls, fake } = start("stuck");
  fake.paused = true;
  vi.advanceTimersByTime(60_000);
  expect(calls).toEqual([]);
});

test("a voice that does not start, or is interrupted, has failed", () => {
  for (const behaviour of ["silent", "interrupted"] as const) {
    const { calls } = start(behaviour);
    vi.advanceTimersByTime(60_000);
    expect(calls).toEqual(["fail"]);
  }
  const { calls } = start("not-allowed");
  vi.advanceTimersByTime(60_000);
  expect(calls).toEqual(["blocked"]);
});

test("nothing is called after an utterance was cancelled", () => {
  const { calls, cancel, fake } = start("ends");
  cancel();
  cancel();
  vi.advanceTimersByTime(60_000);
  expect(calls).toEqual([]);
  expect(fake.cancels).toBe(1);
});
