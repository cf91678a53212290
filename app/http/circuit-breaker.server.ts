/** The breaker opens after this many calls in a row without a response. One page makes up to three calls. */
const MAX_FAILURES = 5;

/** While the breaker is open, one call is made after each pause. A recovered service is noticed within this time. */
const PAUSE_MS = 2000;

/** One circuit breaker for each service and origin. */
export const breakers = new Map<string, CircuitBreaker>();

export type CircuitBreaker = ReturnType<typeof createCircuitBreaker>;

/**
 * Tracks in this isolate whether a service responds, so that not every page waits for a service that is down. The
 * breaker opens when several calls in a row get no response. While it is open, one call per pause is made; a response
 * closes it.
 *
 * @param now in milliseconds
 */
export function createCircuitBreaker(now: () => number) {
  let failures = 0;
  let respondedAt = -Infinity;
  let retryAt = 0;

  const isOpen = () => failures >= MAX_FAILURES;

  return {
    isOpen,

    /** Returns whether a call may be made. An open breaker allows one call per pause. */
    allowCall(): boolean {
      if (!isOpen()) return true;
      if (now() < retryAt) return false;
      retryAt = now() + PAUSE_MS;
      return true;
    },

    /** Records a response. An error of the service is a response too, because no page has to wait for it. */
    recordResponse(): void {
      failures = 0;
      respondedAt = now();
    },

    /**
     * Records a call without a response. Ignores the failure if the service has responded to another call since
     * `startedAt`.
     */
    recordFailure(startedAt: number): void {
      if (startedAt < respondedAt) return;
      failures += 1;
      if (isOpen()) retryAt = now() + PAUSE_MS;
    },
  };
}
