/**
 * Counts uses of a key and reports when there are too many. Has the shape of Cloudflare's rate limiting binding.
 *
 * @see https://developers.cloudflare.com/workers/runtime-apis/bindings/rate-limit/
 */
export interface RateLimit {
  limit(options: { key: string }): Promise<{ success: boolean }>;
}

interface LimitWindow {
  count: number;
  /** Milliseconds since the Unix epoch. */
  endsAt: number;
}

/** The longest period that the binding supports. */
const WINDOW_MS = 60_000;

/** Limits the memory used when each request has a new key. */
const MAX_KEYS = 10_000;

/**
 * Allows a key `uses` times a minute in this isolate. Replaces a missing binding. On the edge each isolate counts
 * separately, so this only slows attackers down.
 */
export function createLocalLimit(uses: number, now: () => number): RateLimit {
  // Ordered by start, which is also the order of expiry.
  const windows = new Map<string, LimitWindow>();

  function deleteExpired() {
    for (const [key, { endsAt }] of windows) {
      if (endsAt > now() && windows.size < MAX_KEYS) return;
      windows.delete(key);
    }
  }

  return {
    async limit({ key }) {
      let window = windows.get(key);
      if (!window || window.endsAt <= now()) {
        windows.delete(key);
        deleteExpired();
        window = { count: 0, endsAt: now() + WINDOW_MS };
        windows.set(key, window);
      }
      window.count += 1;
      return { success: window.count <= uses };
    },
  };
}

/** Returns the rate limiting binding with this name. Falls back to `local` when it is missing or fails. */
export function getRateLimit(bindings: object, name: string, local: RateLimit): RateLimit {
  const bound: unknown = Reflect.get(bindings, name);
  if (!isRateLimit(bound)) return local;
  return { limit: (options) => bound.limit(options).catch(() => local.limit(options)) };
}

function isRateLimit(binding: unknown): binding is RateLimit {
  // wrangler's proxy for a missing service has a value for every property name, so check the type of the value.
  const isObject = typeof binding === "object" && binding !== null;
  return isObject && typeof Reflect.get(binding, "limit") === "function";
}
