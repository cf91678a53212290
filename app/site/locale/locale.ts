const MINUTE_MS = 60 * 1000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const FORMATS = {
  time: { timeStyle: "short" },
  day: { dateStyle: "long" },
  short: { dateStyle: "medium", timeStyle: "short" },
  full: { dateStyle: "full", timeStyle: "short" },
  date: { dateStyle: "short" },
} satisfies Record<string, Intl.DateTimeFormatOptions>;

/** Creating a formatter takes longer than rendering the rest of a message. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/** Requests choose the languages and zones, so the cache is limited. */
const MAX_FORMATTERS = 100;

/** Pages show the same messages again and again. */
const formatted = new Map<string, string>();
const MAX_FORMATTED = 1000;

/** How times and dates are written for a user. */
export interface Locale {
  /** A BCP 47 language tag. */
  language: string;
  /** An IANA time zone. */
  timeZone: string;
}

/** Chooses the first language and the first time zone that `Intl` knows. Even browsers report unknown ones. */
export function chooseLocale(languages: unknown[], timeZones: unknown[]): Locale {
  return {
    language: findFirst(languages, toLanguage) ?? "en",
    timeZone: findFirst(timeZones, (zone) => (isTimeZone(zone) ? zone : undefined)) ?? "UTC",
  };
}

/** Returns the short time, such as 2:05 PM. */
export function formatTime(time: number, locale: Locale): string {
  return format("time", time, locale);
}

/** Returns the day and time for lists, such as Nov 21, 2026, 2:05 PM, or Today, 2:05 PM, relative to `now`. */
export function formatDateTime(time: number, locale: Locale, now: number): string {
  const day = findRelativeDay(time, locale, now);
  return day ? `${day}, ${formatTime(time, locale)}` : format("short", time, locale);
}

/** Returns the day and time for sentences, such as Nov 21, 2026, 2:05 PM, or the time alone on the day of `now`. */
export function formatShortDateTime(time: number, locale: Locale, now: number): string {
  const isSameDay = format("day", time, locale) === format("day", now, locale);
  return isSameDay ? formatTime(time, locale) : format("short", time, locale);
}

/** Returns a time to come for sentences, such as 2:05 PM, tomorrow, 2:05 PM, or Nov 21, 2026, 2:05 PM. */
export function formatUntil(time: number, locale: Locale, now: number): string {
  const isTomorrow = countDays(time, locale) - countDays(now, locale) === 1;
  if (isTomorrow) return `tomorrow, ${formatTime(time, locale)}`;
  return formatShortDateTime(time, locale, now);
}

/** Returns the full date and time. */
export function formatFullDateTime(time: number, locale: Locale): string {
  return format("full", time, locale);
}

/** Returns "Today", "Yesterday" or the date, relative to `now`. */
export function formatDay(time: number, locale: Locale, now: number): string {
  return findRelativeDay(time, locale, now) ?? format("day", time, locale);
}

/** Returns "today", "yesterday" or the date, relative to `now`, to follow other words. */
export function formatDayInText(time: number, locale: Locale, now: number): string {
  return findRelativeDay(time, locale, now)?.toLowerCase() ?? format("day", time, locale);
}

/** Returns how long ago something was, such as "4 min ago"; the day if it was longer than a day. */
export function formatAgo(time: number, locale: Locale, now: number): string {
  const elapsed = now - time;
  if (elapsed < MINUTE_MS) return "just now";
  if (elapsed < HOUR_MS) return `${Math.floor(elapsed / MINUTE_MS)} min ago`;
  if (elapsed < DAY_MS) return `${Math.floor(elapsed / HOUR_MS)} h ago`;
  return formatDayInText(time, locale, now);
}

function format(kind: keyof typeof FORMATS, time: number, { language, timeZone }: Locale): string {
  const key = `${kind} ${language} ${timeZone}`;
  const timeKey = `${key} ${time}`;
  const cached = formatted.get(timeKey);
  if (cached !== undefined) return cached;
  const formatter =
    formatters.get(key) ?? new Intl.DateTimeFormat(language, { ...FORMATS[kind], timeZone });
  if (formatters.size >= MAX_FORMATTERS) formatters.clear();
  formatters.set(key, formatter);
  // A Hebrew or Arabic date keeps the order of its parts in an English page, also in a sentence or a label.
  const text = formatter.format(time).replace(/.*[\u0590-\u08ff].*/, "\u2068$&\u2069");
  if (formatted.size >= MAX_FORMATTED) formatted.clear();
  formatted.set(timeKey, text);
  return text;
}

function findRelativeDay(time: number, locale: Locale, now: number): string | undefined {
  const days = countDays(now, locale) - countDays(time, locale);
  if (days === 0) return "Today";
  return days === 1 ? "Yesterday" : undefined;
}

/** Returns the number of the calendar day in a zone. Not from hours: a day has 23 or 25 when clocks change. */
function countDays(time: number, { timeZone }: Locale): number {
  // Swedish dates are those of ISO 8601.
  return Date.parse(format("date", time, { language: "sv", timeZone })) / DAY_MS;
}

function findFirst(
  candidates: unknown[],
  parse: (candidate: string) => string | undefined,
): string | undefined {
  for (const candidate of candidates) {
    const value = typeof candidate === "string" ? parse(candidate) : undefined;
    if (value !== undefined) return value;
  }
  return undefined;
}

/** The last result, because the check is slow and most requests have the same language. */
let lastLanguage: { candidate: string; language: string | undefined } = {
  candidate: "en",
  language: "en",
};

function toLanguage(candidate: string): string | undefined {
  if (candidate !== lastLanguage.candidate) {
    lastLanguage = { candidate, language: resolveLanguage(candidate) };
  }
  return lastLanguage.language;
}

/**
 * Returns the language in which dates are written for a tag, such as "en" for "en-x-any". Each language has its own
 * cached pages, so visitors must not be able to make up languages.
 */
function resolveLanguage(tag: string): string | undefined {
  try {
    const isSupported = Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0;
    const [language] = new Intl.DateTimeFormat(tag).resolvedOptions().locale.split("-u-");
    return isSupported ? language : undefined;
  } catch {
    return undefined;
  }
}

/** The last result: creating a format is slow, and most visitors of one Cloudflare location share a time zone. */
let lastChecked = { zone: "UTC", isTimeZone: true };

function isTimeZone(candidate: string): boolean {
  if (candidate !== lastChecked.zone) {
    lastChecked = { zone: candidate, isTimeZone: canFormat(candidate) };
  }
  return lastChecked.isTimeZone;
}

function canFormat(timeZone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat("en", { timeZone }));
  } catch {
    return false;
  }
}
