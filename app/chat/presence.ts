import { getTogetherPath } from "#app/stories/readers/together.ts";
import { ROOM_ID } from "./room-address.ts";
import type { Mute } from "./moderation/mute.ts";

/** The path below which each user who is typing in the room has `true` under their uid. */
export const TYPING_PATH = `typing/${ROOM_ID}`;

/** A user's record at `status/{uid}`. */
export interface OnlineStatus {
  state: "online" | "offline";
  /** Milliseconds since the Unix epoch, set by the database. */
  last_changed: number;
}

/** What a connection shows of its user. */
export interface PublicProfile {
  name: string;
  /** An https URL, or the path of an uploaded picture. */
  photo?: string | undefined;
}

/** A tab or device of a user at `connections/{uid}/{connectionId}`, for as long as it is connected. */
export interface Connection extends PublicProfile {
  /** Milliseconds since the Unix epoch, set by the database. */
  time: number;
}

/** A user who is here. */
export interface Person {
  uid: string;
  /** `null` when the user has no visible name. */
  name: string | null;
  /** An https URL, the path of an uploaded picture, or `null`. */
  photoURL: string | null;
}

/** The users who are here, each once, however many tabs and devices they have. */
export interface PeopleHere {
  people: Person[];
  /** Whether more users are here than the list contains. */
  hasMore: boolean;
}

/** The maximum number of a user's connections. `database.rules.json` has the same ids. */
export const MAX_CONNECTIONS = 8;

/** A longer address of a photo is not shown to others in the room. `database.rules.json` has the same number. */
export const MAX_PHOTO_LENGTH = 500;

/** How often a visible tab renews the time of its records. */
export const RENEW_EVERY_MS = 10 * 60_000;

/** After this time without a renewal, a connection no longer shows its user as here. */
export const STALE_AFTER_MS = 12 * 60 * 60_000;

/** Returns the path of a user's online status. */
export function getStatusPath(uid: string): string {
  return `status/${uid}`;
}

/** Returns the path of a user's connections; without a uid, the path of all users' connections. */
export function getConnectionsPath(uid?: string): string {
  return uid === undefined ? "connections" : `connections/${uid}`;
}

/** Returns the path of the setting that hides a user from others: a boolean, or nothing before its first use. */
export function getUnseenPath(uid: string): string {
  return `unseen/${uid}`;
}

/**
 * Returns the values, by their paths, that set a user's unseen mode. Turning it on also removes what others see of them.
 */
export function toUnseenValues(uid: string, isUnseen: boolean): Record<string, boolean | null> {
  if (!isUnseen) return { [getUnseenPath(uid)]: false };
  return {
    [getUnseenPath(uid)]: true,
    [getStatusPath(uid)]: null,
    [getConnectionsPath(uid)]: null,
    [`${TYPING_PATH}/${uid}`]: null,
    [getTogetherPath(uid)]: null,
  };
}

/** Returns the path of the copy of a user's mute in the Realtime Database, whose rules cannot read Firestore. */
export function getMutedPath(uid: string): string {
  return `muted/${uid}`;
}

/** Reads a copy, whose time is in milliseconds. Returns `null` for any other value. */
export function readMute(value: unknown): Mute | null {
  if (typeof value !== "object" || value === null) return null;
  const { until, reason } = { until: null, reason: null, ...value };
  return typeof until === "number" && typeof reason === "string" ? { until, reason } : null;
}
