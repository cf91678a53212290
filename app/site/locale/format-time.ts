import type { Clock } from "./locale.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

const FORMATS = {
  time: { timeStyle: "short" },
  day: { dateStyle: "long" },
  stamp: { dateStyle: "medium", timeStyle: "short" },
  moment: { dateStyle: "full", timeStyle: "short" },
} satisfies Record<string, Intl.DateTimeFormatOptions>;

/** Creating a formatter is slow. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function format(kind: keyof typeof FORMATS, moment: number, { locale, timeZone }: Clock): string {
  const key = `${kind} ${locale} ${timeZone}`;
  const formatter =
    formatters.get(key) ?? new Intl.DateTimeFormat(locale, { ...FORMATS[kind], timeZone });
  // The key comes from request headers, so the cache must stay small.
  if (formatters.size > 100) formatters.clear();
  formatters.set(key, formatter);
  return formatter.format(moment);
}

/** Returns the short time of a moment, such as 2:05 PM. */
export function formatTime(moment: number, clock: Clock): string {
  return format("time", moment, clock);
}

/** Returns the day and time of a moment for lists, such as Nov 21, 2026, 2:05 PM, or Today, 2:05 PM, as seen from `now`. */
export function formatStamp(moment: number, clock: Clock, now: number): string {
  const day = findNearDay(moment, clock, now);
  return day ? `${day}, ${formatTime(moment, clock)}` : format("stamp", moment, clock);
}

/** Returns the full date and time of a moment. */
export function formatMoment(moment: number, clock: Clock): string {
  return format("moment", moment, clock);
}

/** Returns "Today", "Yesterday" or the date of a moment, as seen from `now`. */
export function formatDay(moment: number, clock: Clock, now: number): string {
  return findNearDay(moment, clock, now) ?? format("day", moment, clock);
}

function findNearDay(moment: number, clock: Clock, now: number): string | undefined {
  const day = format("day", moment, clock);
  if (day === format("day", now, clock)) return "Today";
  if (day === format("day", now - DAY_MS, clock)) return "Yesterday";
  return undefined;
}
