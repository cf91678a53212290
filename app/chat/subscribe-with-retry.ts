const FIRST_DELAY_MS = 1000;
const MAX_DELAY_MS = 60_000;

interface Listener<Value> {
  onValue: (value: Value) => void;
  onError: () => void;
}

/** Starts a subscription, and resolves with the function that ends it. */
type Subscribe<Value> = (listener: Listener<Value>) => Promise<() => void>;

/**
 * Subscribes, and again after each error: with growing delays, and at once when the browser is online again. Returns the
 * function that unsubscribes.
 *
 * @param onError called after each error
 */
export function subscribeWithRetry<Value>(
  subscribe: Subscribe<Value>,
  { onValue, onError }: Listener<Value>,
): () => void {
  let failures = 0;
  let endCurrent = () => {};
  let timer: ReturnType<typeof setTimeout> | undefined;

  function start() {
    clearTimeout(timer);
    timer = undefined;
    let hasEnded = false;
    let unsubscribe = () => {};

    function end() {
      hasEnded = true;
      unsubscribe();
    }

    function fail() {
      if (hasEnded) return;
      end();
      // Many browsers lose the connection at the same time, and should not all return at the same time.
      const delayMs = Math.min(FIRST_DELAY_MS * 2 ** failures, MAX_DELAY_MS);
      failures += 1;
      timer = setTimeout(start, delayMs * (0.75 + Math.random() / 2));
      onError();
    }

    function receive(value: Value) {
      if (hasEnded) return;
      failures = 0;
      onValue(value);
    }

    endCurrent = end;
    subscribe({ onValue: receive, onError: fail }).then((result) => {
      unsubscribe = result;
      if (hasEnded) unsubscribe();
    }, fail);
  }

  function startNow() {
    if (timer !== undefined) start();
  }

  window.addEventListener("online", startNow);
  start();
  return () => {
    window.removeEventListener("online", startNow);
    clearTimeout(timer);
    endCurrent();
  };
}
