import type { Clock } from "#app/schemas/clock.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns the short time of a moment, such as 2:05 PM. */
export function formatTime(moment: number, { locale, timeZone }: Clock): string {
  return new Intl.DateTimeFormat(locale, { timeStyle: "short", timeZone }).format(moment);
}

/** Returns the full date and time of a moment. */
export function formatMoment(moment: number, { locale, timeZone }: Clock): string {
  return new Intl.DateTimeFormat(locale, {
    dateStyle: "full",
    timeStyle: "short",
    timeZone,
  }).format(moment);
}

/** Returns "Today", "Yesterday" or the date of a moment, as seen from `now`. */
export function formatDay(moment: number, { locale, timeZone }: Clock, now: number): string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone });
  const day = format.format(moment);
  if (day === format.format(now)) return "Today";
  if (day === format.format(now - DAY_MS)) return "Yesterday";
  return day;
}
