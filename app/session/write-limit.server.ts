import { oncePerEnv } from "#app/env.server.ts";
import { createLocalLimit, findLimit } from "./rate-limit.server.ts";

/**
 * Writes of one kind a person may make in a minute, which is the window of all rate limits here. Autosave makes 30 in
 * each tab at most, so ten tabs at work never meet it. What is bound has the same number: see `wrangler.toml`.
 */
const WRITES = 300;

/** Changes of a profile, which nothing makes by itself. */
const PROFILE_CHANGES = 30;

export const WRITE_LIMIT_WINDOW_MS = 60_000;

/** What the rules of the database leave unlimited, or never see. */
export type LimitedWrite = "draft" | "place" | "profile";

/** Limits how often a person writes. Counted for each person, wherever they are signed in. */
export function createWriteLimit(bindings: object, now: () => number) {
  const writes = findLimit(bindings, "WRITES", createLocalLimit(WRITES, now));
  const profile = createLocalLimit(PROFILE_CHANGES, now);

  return {
    /** Counts a write before it is made, and tells whether it may be. */
    async admit(uid: string, write: LimitedWrite): Promise<boolean> {
      const limit = write === "profile" ? profile : writes;
      return (await limit.limit({ key: `${write} ${uid}` })).success;
    },
  };
}

export const getWriteLimit = oncePerEnv((_, context) =>
  createWriteLimit(context.cloudflare.env, () => Date.now()),
);
