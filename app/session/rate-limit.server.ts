import { createServiceGetter } from "#app/env.server.ts";
import { createCache } from "#app/http/cache.server.ts";

/** The period in which uses are counted: the longest that the bindings support. */
export const RATE_LIMIT_WINDOW_MS = 60_000;

/** How often a key may be used in that period. The bindings in `wrangler.toml` have the same numbers. */
const USES = { ATTEMPTS_STRICT: 5, ATTEMPTS_LOOSE: 30, WRITES: 300 };

/** What is limited, and the binding that counts it. */
const LIMITS = {
  // Attempts to sign in or up, and to get an e-mail: see `getSignInLimits`.
  "account-and-network": "ATTEMPTS_STRICT",
  account: "ATTEMPTS_LOOSE",
  network: "ATTEMPTS_LOOSE",
  // A user's writes that `firestore.rules` does not limit, over all of their sessions. Autosave makes at most 30 in each
  // tab, so ten busy tabs stay within the limit.
  draft: "WRITES",
  library: "WRITES",
  position: "WRITES",
  room: "WRITES",
  thanks: "WRITES",
  profile: "ATTEMPTS_LOOSE",
  picture: "ATTEMPTS_LOOSE",
  // Downloads and imports of everything.
  data: "ATTEMPTS_LOOSE",
} satisfies Record<string, keyof typeof USES>;

export type LimitName = keyof typeof LIMITS;

/** Limits the memory used when each request has a new key. */
const MAX_KEYS = 10_000;

/**
 * Cloudflare's rate limiting binding.
 *
 * @see https://developers.cloudflare.com/workers/runtime-apis/bindings/rate-limit/
 */
interface RateLimit {
  limit(options: { key: string }): Promise<{ success: boolean }>;
}

/**
 * Limits how often something is done. If a binding is missing or fails, uses are counted in this isolate. On the edge each
 * isolate counts separately, so this only slows attackers down.
 */
export function createRateLimits(bindings: object, now: () => number) {
  const local = {
    ATTEMPTS_STRICT: createLocalLimit(USES.ATTEMPTS_STRICT, now),
    ATTEMPTS_LOOSE: createLocalLimit(USES.ATTEMPTS_LOOSE, now),
    WRITES: createLocalLimit(USES.WRITES, now),
  };

  return {
    /** Counts a use of a key, and returns whether it is allowed. */
    async consume(name: LimitName, key: string): Promise<boolean> {
      const use = { key: `${name} ${key}` };
      const binding: unknown = Reflect.get(bindings, LIMITS[name]);
      const countHere = () => local[LIMITS[name]].limit(use);
      const { success } = await (isRateLimit(binding)
        ? binding.limit(use).catch(countHere)
        : countHere());
      return success;
    },
  };
}

function createLocalLimit(uses: number, now: () => number): RateLimit {
  const windows = createCache<{ count: number }>(RATE_LIMIT_WINDOW_MS, now, MAX_KEYS);
  return {
    async limit({ key }) {
      const window = windows.find(key) ?? { count: 0 };
      if (window.count === 0) windows.set(key, window);
      window.count += 1;
      return { success: window.count <= uses };
    },
  };
}

function isRateLimit(binding: unknown): binding is RateLimit {
  // wrangler's proxy for a missing service has a value for every property name, so check the type of the value.
  const isObject = typeof binding === "object" && binding !== null;
  return isObject && typeof Reflect.get(binding, "limit") === "function";
}

export const getRateLimits = createServiceGetter((_, context) =>
  createRateLimits(context.cloudflare.env, () => Date.now()),
);

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;

/** Returns a wait in words, and as the header for status 429. */
export function describeWait(ms: number) {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  const retryAfter = { "Retry-After": String(seconds) };
  if (seconds < 2 * MINUTE_SECONDS) return { words: formatCount(seconds, "second"), retryAfter };
  if (seconds < 2 * HOUR_SECONDS) {
    return { words: formatCount(Math.ceil(seconds / MINUTE_SECONDS), "minute"), retryAfter };
  }
  return { words: formatCount(Math.ceil(seconds / HOUR_SECONDS), "hour"), retryAfter };
}

function formatCount(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
