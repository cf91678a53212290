/** How many calls in a row must go unanswered. One page makes up to three. */
const MAX_FAILURES = 5;

/** How long calls are refused before one may try again, and so the longest that a service looks down after it recovers. */
const PAUSE_MS = 2000;

export type CircuitBreaker = ReturnType<typeof createCircuitBreaker>;

/**
 * Knows in this isolate whether a service answers, so that pages do not each wait for one that doesn't. It opens when
 * calls in a row get no answer. While it is open, one call in each pause may try; an answer closes it.
 *
 * @param now in milliseconds
 */
export function createCircuitBreaker(now: () => number) {
  let failures = 0;
  let answeredAt = -Infinity;
  let retryAt = 0;

  const isOpen = () => failures >= MAX_FAILURES;

  return {
    isOpen,

    /** Returns whether a call may be made. An open breaker lets one call pass, and refuses others for the next pause. */
    admit(): boolean {
      if (!isOpen()) return true;
      if (now() < retryAt) return false;
      retryAt = now() + PAUSE_MS;
      return true;
    },

    /** Records an answer. Errors of the service are answers too: they keep no page waiting. */
    recordAnswer(): void {
      failures = 0;
      answeredAt = now();
    },

    /** Records a call without an answer. It proves nothing if the service has answered a call since it was made. */
    recordFailure(startedAt: number): void {
      if (startedAt < answeredAt) return;
      failures += 1;
      if (isOpen()) retryAt = now() + PAUSE_MS;
    },
  };
}
