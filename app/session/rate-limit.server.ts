/**
 * Counts uses of a key and says when there were too many: the shape of Cloudflare's rate limiting binding.
 *
 * @see https://developers.cloudflare.com/workers/runtime-apis/bindings/rate-limit/
 */
export interface RateLimit {
  limit(options: { key: string }): Promise<{ success: boolean }>;
}

interface Window {
  count: number;
  /** Milliseconds since the Unix epoch. */
  endsAt: number;
}

/** As long as the binding's longest. */
const WINDOW_MS = 60_000;

/** So that nobody can fill the memory with keys. */
const MAX_KEYS = 10_000;

/**
 * Lets a key be used `uses` times a minute, as far as this isolate knows: it stands in where no binding does. An edge
 * has many isolates, each counting by itself, so there it slows people down rather than stopping them.
 */
export function createLocalLimit(uses: number, now: () => number): RateLimit {
  // In the order in which they began, which is the order in which they end.
  const windows = new Map<string, Window>();

  function makeRoom() {
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
        makeRoom();
        window = { count: 0, endsAt: now() + WINDOW_MS };
        windows.set(key, window);
      }
      window.count += 1;
      return { success: window.count <= uses };
    },
  };
}

/** Returns the limit that a deployment has bound under a name; where it fails, and where there is none, `local` judges. */
export function findLimit(bindings: object, name: string, local: RateLimit): RateLimit {
  const bound: unknown = Reflect.get(bindings, name);
  if (!isRateLimit(bound)) return local;
  return { limit: (options) => bound.limit(options).catch(() => local.limit(options)) };
}

function isRateLimit(binding: unknown): binding is RateLimit {
  // A service that takes its place answers to any name, but owns none.
  const isObject = typeof binding === "object" && binding !== null;
  return isObject && typeof Reflect.get(binding, "limit") === "function";
}
