import { createServiceGetter, type Env } from "#app/env.server.ts";
import { isRejected, requireRead } from "#app/firebase/firestore-error.server.ts";
import type { Fields } from "#app/firebase/firestore-types.ts";
import { asUser } from "#app/firebase/firestore.server.ts";
import { createCache } from "#app/http/cache.server.ts";
import { createCookie } from "#app/http/cookie.server.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import type { User, UserWithToken } from "#app/session/user.ts";
import { FOLLOWING_LIST_ID, HIDDEN_LIST_ID, SAVED_LIST_ID } from "#app/stories/library/library.ts";
import {
  addPosition,
  isVisible,
  listVisible,
  POSITIONS_COOKIE,
  readPositions,
  serializePositions,
  type DevicePosition,
} from "./position-cookie.ts";
import { positionFieldsSchema } from "./position-schema.ts";
import { getPositionsPath, type ReadingPosition } from "./position.ts";

/** Short, because a page without the user's position is better than a slow one. */
const CALL_OPTIONS = { timeoutMs: 2000 };

/** 20 positions and the three other lists of the library. */
const MAX_LISTED = 23;

/** How long a list may be reused. */
const MAX_LIST_AGE_MS = 5 * 60_000;

const cookie = createCookie(POSITIONS_COOKIE.name, {
  maxAgeSeconds: POSITIONS_COOKIE.maxAgeSeconds,
  isForScripts: true,
});

interface PositionList {
  positions: ReadingPosition[];
  /** The fields of the lists of saved stories, followed writers and what is hidden. */
  saved: Fields | undefined;
  following: Fields | undefined;
  hidden: Fields | undefined;
}

/** Reads and writes the positions in a user's account. Every function rejects with `UnavailableError` when it fails. */
function createPositionService(env: Env, now: () => number) {
  const lastLists = createCache<PositionList>(MAX_LIST_AGE_MS, now);

  return {
    /** Returns the position in one story, or `undefined`. */
    async find(user: UserWithToken, story: string): Promise<ReadingPosition | undefined> {
      const path = `${getPositionsPath(user.uid)}/${story}`;
      const document = await requireRead(asUser(env, user).get(path, CALL_OPTIONS));
      return document ? readPositionFields(story, document.fields) : undefined;
    },

    /**
     * Returns the latest positions, newest first, and the other lists of the user's library, in one request.
     *
     * @param mayReuse whether the list may be one that this isolate has read recently, which saves a request
     */
    async list(user: UserWithToken, mayReuse = false): Promise<PositionList> {
      const cached = mayReuse ? lastLists.find(user.uid) : undefined;
      if (cached) return cached;
      const latest = { orderBy: ["time", "desc"], limit: MAX_LISTED } as const;
      const path = getPositionsPath(user.uid);
      const documents = await requireRead(asUser(env, user).query(path, latest, CALL_OPTIONS));
      const positions = documents.flatMap(({ id, fields }) => readPositionFields(id, fields) ?? []);
      const lists = new Map(documents.map(({ id, fields }) => [id, fields]));
      const positionList = {
        positions,
        saved: lists.get(SAVED_LIST_ID),
        following: lists.get(FOLLOWING_LIST_ID),
        hidden: lists.get(HIDDEN_LIST_ID),
      };
      lastLists.set(user.uid, positionList);
      return positionList;
    },

    /** Call it after another list of the library has changed. */
    clearList: (uid: string) => lastLists.delete(uid),

    /** Deletes the position in a story. */
    async remove(user: UserWithToken, story: string): Promise<void> {
      const path = `${getPositionsPath(user.uid)}/${story}`;
      await asUser(env, user).commit([{ path, delete: true }], CALL_OPTIONS);
      lastLists.delete(user.uid);
    },

    /** Saves a position, unless the account has a later one. */
    async set(user: UserWithToken, { story, ...fields }: ReadingPosition): Promise<void> {
      const write = { path: `${getPositionsPath(user.uid)}/${story}`, fields };
      try {
        await asUser(env, user).commit([write], CALL_OPTIONS);
        lastLists.delete(user.uid);
      } catch (cause) {
        // The stored position is later, or another commit at the same moment won.
        if (isRejected(cause)) {
          return;
        }
        throw cause instanceof UnavailableError
          ? cause
          : new UnavailableError("Firestore rejected the position", { cause });
      }
    },
  };
}

/** Returns the positions in this browser that a user, or a visitor, may see, newest first. */
export function getDevicePositions(
  request: Request,
  user: Pick<User, "uid"> | null,
): ReadingPosition[] {
  return listVisible(readPositions(cookie.read(request)), user?.uid);
}

/** Returns a `Set-Cookie` value that adds a position to this browser's. */
export function setDevicePosition(request: Request, position: DevicePosition): string {
  const positions = readPositions(cookie.read(request));
  return cookie.write(request, serializePositions(addPosition(positions, position)));
}

/** Returns the `Set-Cookie` header that removes a user's positions from this browser; none if it has none. */
export function removeDevicePositions(
  request: Request,
  { uid }: Pick<User, "uid">,
): Record<string, string> {
  return removeFromDevice(request, ({ owner }) => owner === uid);
}

/** Returns the `Set-Cookie` header that removes the user's or visitor's position in a story; none if there is none. */
export function removeDevicePosition(
  request: Request,
  story: string,
  user: Pick<User, "uid"> | null,
): Record<string, string> {
  return removeFromDevice(
    request,
    (position) => position.story === story && isVisible(position, user?.uid),
  );
}

function removeFromDevice(
  request: Request,
  isRemoved: (position: DevicePosition) => boolean,
): Record<string, string> {
  const positions = readPositions(cookie.read(request));
  const remaining = positions.filter((position) => !isRemoved(position));
  if (remaining.length === positions.length) return {};
  return {
    "Set-Cookie":
      remaining.length > 0
        ? cookie.write(request, serializePositions(remaining))
        : cookie.remove(request),
  };
}

/** Parses the fields of a stored position; `undefined` if they are invalid. */
export function readPositionFields(
  story: string,
  fields: Record<string, unknown>,
): ReadingPosition | undefined {
  const position = positionFieldsSchema.safeParse(fields).data;
  return position && { story, ...position };
}

export const getPositions = createServiceGetter((env) =>
  createPositionService(env, () => Date.now()),
);
