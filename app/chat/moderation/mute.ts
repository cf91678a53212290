/** A time in which a user may not post. */
export interface Mute {
  /** Milliseconds since the Unix epoch; `UNTIL_LIFTED` without an end. */
  until: number;
  reason: string;
}

/** A mute as its person sees it. */
export interface OwnMute extends Mute {
  /** Whether they have asked to post again. */
  hasAsked: boolean;
}

/** The end of a mute that only an operator ends. Firestore's times have four digits for the year. */
export const UNTIL_LIFTED = Date.UTC(9999, 0);

/** The longest reason and appeal, in UTF-16 units. `firestore.rules` has the same number. */
export const MAX_REASON_LENGTH = 500;

/** Returns the path of a user's mute in Firestore. */
export function getMutePath(uid: string): string {
  return `mutes/${uid}`;
}

/** Returns the path of its copy in the Realtime Database, whose rules cannot read Firestore. */
export function getMutedPath(uid: string): string {
  return `muted/${uid}`;
}

/** Reads a stored mute, whose time is in milliseconds. Returns `null` for any other value. */
export function readMute(value: unknown): Mute | null {
  if (typeof value !== "object" || value === null) return null;
  const { until, reason } = { until: null, reason: null, ...value };
  return typeof until === "number" && typeof reason === "string" ? { until, reason } : null;
}
