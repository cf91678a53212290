import { createServiceGetter } from "#app/env.server.ts";
import { createLocalLimit, getRateLimit } from "./rate-limit.server.ts";

/**
 * How many writes of one kind a user may make in a minute. Autosave makes at most 30 in each tab, so ten busy tabs stay
 * within the limit. The binding in `wrangler.toml` has the same number.
 */
const WRITES = 300;

/** How many profile changes a user may make in a minute: the number of the binding `ATTEMPTS_LOOSE`. */
const PROFILE_CHANGES = 30;

export const WRITE_LIMIT_WINDOW_MS = 60_000;

/** Writes that `firestore.rules` does not limit. */
export type LimitedWrite = "draft" | "library" | "position" | "profile" | "room" | "thanks";

/** Limits how often a user writes, counted over all of their sessions. */
export function createWriteLimit(bindings: object, now: () => number) {
  const writes = getRateLimit(bindings, "WRITES", createLocalLimit(WRITES, now));
  const profile = getRateLimit(bindings, "ATTEMPTS_LOOSE", createLocalLimit(PROFILE_CHANGES, now));

  return {
    /** Counts a write, and returns whether it is allowed. */
    async consume(uid: string, write: LimitedWrite): Promise<boolean> {
      const limit = write === "profile" ? profile : writes;
      return (await limit.limit({ key: `${write} ${uid}` })).success;
    },
  };
}

export const getWriteLimit = createServiceGetter((_, context) =>
  createWriteLimit(context.cloudflare.env, () => Date.now()),
);
