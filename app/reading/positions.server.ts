import { oncePerEnv, type Env } from "#app/env.server.ts";
import {
  FailedPreconditionError,
  PermissionDeniedError,
} from "#app/firebase/firestore-error.server.ts";
import { asUser } from "#app/firebase/firestore.server.ts";
import { requireRead } from "#app/firebase/require-read.server.ts";
import { createCache } from "#app/http/cache.server.ts";
import { createPreferenceCookie } from "#app/http/cookie.server.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import type { AuthUser } from "#app/session/user.ts";
import {
  addPosition,
  POSITIONS_COOKIE,
  readPositions,
  serializePositions,
} from "./position-cookie.ts";
import { positionFieldsSchema } from "./position-schema.ts";
import { positionsPath, type ReadingPosition } from "./position.ts";

/** A page is worth showing at its beginning, so it waits no longer for a position. */
const CALL = { timeoutMs: 2000 };

const MAX_LISTED = 20;

/** Older lists are not reused. */
const MAX_LIST_AGE_MS = 5 * 60_000;

const cookie = createPreferenceCookie(POSITIONS_COOKIE.name, {
  maxAgeSeconds: POSITIONS_COOKIE.maxAgeSeconds,
  isForScripts: true,
});

type PositionUser = Pick<AuthUser, "uid" | "idToken">;

/** Reads and writes the positions in a user's account. Each function throws `UnavailableError` without an answer. */
function createPositionService(env: Env, now: () => number) {
  const lastLists = createCache<ReadingPosition[]>(MAX_LIST_AGE_MS, now);

  return {
    /** Returns the position in one story, or `undefined`. */
    async find(user: PositionUser, story: string): Promise<ReadingPosition | undefined> {
      const path = `${positionsPath(user.uid)}/${story}`;
      const document = await requireRead(asUser(env, user).get(path, CALL));
      return document ? readPositionFields(story, document.fields) : undefined;
    },

    /**
     * Returns the latest positions, newest first.
     *
     * @param mayReuse whether a recent list of this isolate will do, to save a request
     */
    async list(user: PositionUser, mayReuse = false): Promise<ReadingPosition[]> {
      const known = mayReuse ? lastLists.find(user.uid) : undefined;
      if (known) return known;
      const latest = { orderBy: ["time", "desc"], limit: MAX_LISTED } as const;
      const path = positionsPath(user.uid);
      const documents = await requireRead(asUser(env, user).query(path, latest, CALL));
      const positions = documents.flatMap(({ id, fields }) => readPositionFields(id, fields) ?? []);
      lastLists.set(user.uid, positions);
      return positions;
    },

    /** Saves a position, unless the account has a later one. */
    async set(user: PositionUser, { story, ...fields }: ReadingPosition): Promise<void> {
      const write = { path: `${positionsPath(user.uid)}/${story}`, fields };
      try {
        await asUser(env, user).commit([write], CALL);
        lastLists.delete(user.uid);
      } catch (cause) {
        // The rules deny a position that is earlier than the stored one. Another commit at the same moment is later.
        if (cause instanceof PermissionDeniedError || cause instanceof FailedPreconditionError) {
          return;
        }
        throw cause instanceof UnavailableError
          ? cause
          : new UnavailableError("Firestore refused the position", { cause });
      }
    },
  };
}

/** Returns the positions in this browser, newest first. */
export function getDevicePositions(request: Request): ReadingPosition[] {
  return readPositions(cookie.read(request));
}

/** Returns a `Set-Cookie` value. */
export function setDevicePosition(request: Request, position: ReadingPosition): string {
  return cookie.write(
    request,
    serializePositions(addPosition(getDevicePositions(request), position)),
  );
}

/** Parses the fields of a stored position; `undefined` where they are none. */
export function readPositionFields(
  story: string,
  fields: Record<string, unknown>,
): ReadingPosition | undefined {
  const position = positionFieldsSchema.safeParse(fields).data;
  return position && { story, ...position };
}

export const getPositions = oncePerEnv((env) => createPositionService(env, () => Date.now()));
