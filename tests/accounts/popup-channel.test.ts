import { afterEach, expect, test, vi } from "vitest";

import { hasBroadcastChannel } from "#app/accounts/google/popup-channel.ts";

afterEach(() => vi.unstubAllGlobals());

test("detects BroadcastChannel", () => {
  expect(hasBroadcastChannel()).toBe(true);
});

test("detects that BroadcastChannel is missing or blocked", () => {
  vi.stubGlobal("BroadcastChannel", undefined);
  expect(hasBroadcastChannel()).toBe(false);

  vi.stubGlobal(
    "BroadcastChannel",
    class {
      constructor() {
        throw new DOMException("The operation is insecure.", "SecurityError");
      }
    },
  );
  expect(hasBroadcastChannel()).toBe(false);
});
