import type { AppLoadContext } from "@remix-run/cloudflare";

import { getEnv } from "#app/env.server.ts";
import type { Locale } from "./locale.ts";

/** Guesses the locale of a request: the language from its header, the time zone from Cloudflare. */
export function getLocale(request: Request, context: AppLoadContext): Locale {
  const timeZones = [getEnv(context).TIME_ZONE, context.cloudflare.cf?.timezone];
  const languages = (request.headers.get("Accept-Language") ?? "").split(",");
  return {
    language:
      findFirst(
        languages.map((entry) => entry.split(";")[0]?.trim()),
        isLanguage,
      ) ?? "en",
    timeZone: findFirst(timeZones, isTimeZone) ?? "UTC",
  };
}

function findFirst(
  candidates: unknown[],
  isValid: (candidate: string) => boolean,
): string | undefined {
  return candidates.find(
    (candidate): candidate is string => typeof candidate === "string" && isValid(candidate),
  );
}

/** The last result, because the check is slow and most requests have the same language. */
let lastLanguage = { candidate: "en", isSupported: true };

function isLanguage(candidate: string): boolean {
  if (candidate !== lastLanguage.candidate) {
    lastLanguage = { candidate, isSupported: isSupported(candidate) };
  }
  return lastLanguage.isSupported;
}

function isSupported(language: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(language).length > 0;
  } catch {
    return false;
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
