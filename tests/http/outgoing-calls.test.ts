import { afterEach, beforeEach, expect, test, vi } from "vitest";

import {
  CallSkippedError,
  endAction,
  fetchRecorded,
  recordCalls,
  setRequestKind,
  withoutTimeLimit,
} from "#app/http/outgoing-calls.server.ts";
import type { OutgoingCall } from "#app/load-context.ts";
import { startServer } from "#tests/support/server.ts";

const PAGE_MS = 1500;
const PAUSE_MS = 2000;
const CALL = { service: "firestore", method: "runQuery" } as const;

interface RequestOptions {
  times?: number;
  timeoutMs?: number;
  isLong?: boolean;
  name?: OutgoingCall["service"];
  api?: string;
  /** How many calls belong to the action. The others are made by the loaders that run after it. */
  actionCalls?: number;
}

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

/** A service that responds, or lets each call wait until its timeout, by the test's clock. */
async function startService() {
  const state = { isAnswering: true, status: 200, calls: 0 };
  const server = await startServer((response) => {
    state.calls += 1;
    response.writeHead(state.status).end("{}");
  });
  const realTimeout = AbortSignal.timeout.bind(AbortSignal);
  vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
    if (state.isAnswering) return realTimeout(ms);
    vi.setSystemTime(Date.now() + ms);
    return AbortSignal.abort(new DOMException("No response", "TimeoutError"));
  });
  return {
    state,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    /** Makes calls one after the other in one request, and returns how each ended. */
    async request(
      method: "GET" | "POST",
      {
        times = 1,
        timeoutMs = 30_000,
        isLong = false,
        name = "firestore",
        api = CALL.method,
        actionCalls,
      }: RequestOptions = {},
    ) {
      const calls: OutgoingCall[] = [];
      const startedAt = Date.now();
      const errors: unknown[] = [];
      await recordCalls({ id: "", calls }, method, async () => {
        if (isLong) setRequestKind("long");
        for (let count = 0; count < times; count += 1) {
          if (count === actionCalls) endAction();
          const call = { method: api, service: name };
          const fetched = fetchRecorded(call, `http://${server.host}`, { method, timeoutMs });
          errors.push(
            await fetched.then(
              () => null,
              (error: unknown) => error,
            ),
          );
        }
      });
      const isSkipped = errors.map((error) => error instanceof CallSkippedError);
      expect(calls.map((call) => call.isSkipped ?? false)).toEqual(isSkipped);
      return { ms: Date.now() - startedAt, errors, isSkipped };
    },
    /** Stops the service, and opens its breaker by calls of pages. */
    async stopResponding() {
      state.isAnswering = false;
      for (let count = 0; count < 5; count += 1) await this.request("GET");
    },
  };
}

test("the calls of a page end within 1.5 s, however many it makes in turn", async () => {
  await using service = await startService();
  service.state.isAnswering = false;

  const page = await service.request("GET", { times: 9, timeoutMs: 700 });

  expect(page.ms).toBe(PAGE_MS);
  expect(page.isSkipped).toEqual([false, false, false, true, true, true, true, true, true]);
});

test("the calls of an action end before the scripts of pages give up, after 25 s", async () => {
  await using service = await startService();
  service.state.isAnswering = false;

  const options = { times: 3, timeoutMs: 10_000, api: "commit" };
  expect((await service.request("POST", options)).ms).toBe(25_000);
});

test.each(["get", "batchGet", "runQuery", "GET"])(
  "an action waits two seconds for a read by %s, because nothing has been written yet",
  async (api) => {
    await using service = await startService();
    service.state.isAnswering = false;

    expect((await service.request("POST", { api })).ms).toBe(2000);
  },
);

test("the page after an action does not wait again for a service that did not respond", async () => {
  await using service = await startService();
  service.state.isAnswering = false;

  const same = await service.request("POST", { times: 4, actionCalls: 1 });
  expect(same).toMatchObject({ ms: 2000, isSkipped: [false, true, true, true] });

  const other = await service.request("POST", { times: 3, timeoutMs: 1000, actionCalls: 0 });
  expect(other.ms).toBe(PAGE_MS);
});

test("the page after an action calls a service again that rejected a call of the action at once", async () => {
  await using service = await startService();
  await service[Symbol.asyncDispose]();

  const refused = await service.request("POST", { times: 2, actionCalls: 1 });

  expect(refused.isSkipped).toEqual([false, false]);
});

test("after five calls without a response, pages do not call the service", async () => {
  await using service = await startService();
  await service.stopResponding();

  const pages = await Promise.all(Array.from({ length: 50 }, () => service.request("GET")));

  expect(pages.every(({ isSkipped }) => isSkipped[0])).toBe(true);
  expect(Math.max(...pages.map(({ ms }) => ms))).toBe(0);
});

test("after two seconds one page tries the service, and after a response all pages call it", async () => {
  await using service = await startService();
  await service.stopResponding();
  service.state.isAnswering = true;
  expect((await service.request("GET")).isSkipped).toEqual([true]);

  vi.setSystemTime(Date.now() + PAUSE_MS);
  const pages = [service.request("GET"), service.request("GET")];

  expect((await Promise.all(pages)).map(({ isSkipped }) => isSkipped[0])).toEqual([false, true]);
  expect((await service.request("GET")).errors).toEqual([null]);
});

test("an action tries a service that seems down once, and waits two seconds for it", async () => {
  await using service = await startService();
  await service.stopResponding();

  const before = await service.request("POST", { times: 3, api: "commit" });
  expect(before).toMatchObject({ ms: 2000, isSkipped: [false, true, true] });
  service.state.isAnswering = true;
  expect((await service.request("POST")).errors).toEqual([null]);

  expect((await service.request("GET")).errors).toEqual([null]);
});

test("a long request has no limit, but each of its calls has one", async () => {
  await using service = await startService();
  await service.stopResponding();

  const long = await service.request("GET", { times: 2, timeoutMs: 30_000, isLong: true });

  expect(long).toMatchObject({ ms: 60_000, isSkipped: [false, false] });
});

test("calls that other requests share have their own time limit", async () => {
  await using service = await startService();
  service.state.isAnswering = false;
  const startedAt = Date.now();
  const init = { timeoutMs: 5000 };

  const shared = recordCalls({ id: "", calls: [] }, "GET", () =>
    withoutTimeLimit(() => fetchRecorded(CALL, "http://192.0.2.1", init)),
  );

  await expect(shared).rejects.toThrow("No response");
  expect(Date.now() - startedAt).toBe(5000);
});

test("a service that responds with errors is still called", async () => {
  await using service = await startService();
  service.state.status = 503;

  for (let count = 0; count < 10; count += 1) await service.request("GET");

  expect(service.state.calls).toBe(10);
});

test("calls with less than a second, and calls that are cancelled, do not open the breaker", async () => {
  await using service = await startService();
  service.state.isAnswering = false;
  for (let count = 0; count < 10; count += 1) await service.request("GET", { timeoutMs: 900 });
  service.state.isAnswering = true;
  const signal = AbortSignal.abort(new Error("cancelled"));
  for (let count = 0; count < 10; count += 1) {
    const fetched = fetchRecorded(CALL, "http://192.0.2.1", { timeoutMs: 5000, signal });
    await expect(fetched).rejects.toThrow("cancelled");
  }

  expect((await service.request("GET")).errors).toEqual([null]);
});

test("a service that does not respond does not block calls to other services", async () => {
  await using service = await startService();
  await service.stopResponding();
  service.state.isAnswering = true;

  expect((await service.request("GET")).isSkipped).toEqual([true]);
  expect((await service.request("GET", { name: "auth" })).errors).toEqual([null]);
});

test.each(["one test", "the next test"])(
  "a service that does not respond is called five times in %s",
  async () => {
    const fetched = vi.spyOn(globalThis, "fetch").mockRejectedValue(new TypeError("fetch failed"));
    const call = () => fetchRecorded(CALL, "https://silent.example", { timeoutMs: 1000 });

    for (let count = 0; count < 9; count += 1) {
      await recordCalls({ id: "", calls: [] }, "GET", () => expect(call()).rejects.toThrow());
    }

    expect(fetched).toHaveBeenCalledTimes(5);
  },
);
