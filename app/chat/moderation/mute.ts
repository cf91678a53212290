import { formatUntil, type Locale } from "#app/site/locale/locale.ts";

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

/** Says until when a user may not post. */
export function describeMute({ until }: Pick<Mute, "until">, locale: Locale, now: number): string {
  if (until >= UNTIL_LIFTED) return "You can't post in the room.";
  return `You can't post until ${formatUntil(until, locale, now)}.`;
}

/** Returns a reason as a sentence. */
export function formatReason(reason: string): string {
  return /[.!?…]$/.test(reason) ? reason : `${reason}.`;
}
