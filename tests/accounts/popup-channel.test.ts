import { afterEach, expect, test, vi } from "vitest";

import { canHear } from "#app/accounts/google/popup-channel.ts";

afterEach(() => vi.unstubAllGlobals());

test("a page hears of its pop-up where browsers let pages talk", () => {
  expect(canHear()).toBe(true);
});

test("where there are no channels, or none may be opened, it does not, and says so", () => {
  vi.stubGlobal("BroadcastChannel", undefined);
  expect(canHear()).toBe(false);

  vi.stubGlobal(
    "BroadcastChannel",
    class {
      constructor() {
        throw new DOMException("The operation is insecure.", "SecurityError");
      }
    },
  );
  expect(canHear()).toBe(false);
});
