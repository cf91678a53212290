import { vi } from "vitest";

import type { TestApp } from "#tests/support/routes.ts";

/** Records the requests to an app's own Firebase. Retries of earlier tests in this process go to other hosts. */
export function recordRequests({ firebase }: TestApp) {
  const spy = vi.spyOn(globalThis, "fetch");
  const origins = Object.values(firebase.hosts).map((host) => `http://${host}/`);
  return {
    clear: () => void spy.mockClear(),
    /** Returns the addresses, in the order of the requests. */
    list(): string[] {
      const urls = spy.mock.calls.map(([input]) => new Request(input).url);
      return urls.filter((url) => origins.some((origin) => url.startsWith(origin)));
    },
  };
}
