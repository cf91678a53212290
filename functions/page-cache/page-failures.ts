import type { PageFailure } from "../../app/load-context.ts";

/** For this long after a page has failed, its old copy is served without trying to render a new one first. */
const FAILURE_MS = 10_000;

/** The shortest time between two attempts to render a failed page after a response. */
const RETRY_MS = 5000;

/** How many failed pages each isolate tracks. */
const MAX_FAILURES = 1000;

interface FailedPage {
  failure: PageFailure;
  failedAt: number;
  /** When it was last rendered after a response. */
  retriedAt: number;
}

/** Tracks the pages that could not be rendered, by key. */
export function createPageFailures(now: () => number) {
  const failures = new Map<string, FailedPage>();

  return {
    /** Records how a rendering ended, or that it takes too long. */
    set(key: string, failure: PageFailure | null): void {
      const { retriedAt = -Infinity } = failures.get(key) ?? {};
      failures.delete(key);
      if (failure === null) return;
      if (failures.size >= MAX_FAILURES) failures.clear();
      failures.set(key, { failure, failedAt: now(), retriedAt });
    },

    /** Returns why a page has failed recently; `null` if it has not. */
    find(key: string): PageFailure | null {
      const failedPage = failures.get(key);
      return failedPage && now() - failedPage.failedAt < FAILURE_MS ? failedPage.failure : null;
    },

    /** Whether a page may be rendered after a response. For a failed page, `true` starts the wait until the next attempt. */
    startRetry(key: string): boolean {
      const failed = failures.get(key);
      if (!failed) return true;
      if (now() - failed.retriedAt < RETRY_MS) return false;
      failed.retriedAt = now();
      return true;
    },
  };
}
