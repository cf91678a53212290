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
