import { formatUntil } from "#app/site/locale/format-time.ts";
import type { Locale } from "#app/site/locale/locale.ts";
import { UNTIL_LIFTED, type Mute } from "./mute.ts";

/** Says until when a user may not post. */
export function describeMute({ until }: Pick<Mute, "until">, locale: Locale, now: number): string {
  if (until >= UNTIL_LIFTED) return "You can't post in the room.";
  return `You can't post until ${formatUntil(until, locale, now)}.`;
}

/** Returns a reason as a sentence. */
export function formatReason(reason: string): string {
  return /[.!?…]$/.test(reason) ? reason : `${reason}.`;
}
