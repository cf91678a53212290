import type { AppLoadContext } from "@remix-run/cloudflare";

import { getEnv } from "#app/env.server.ts";
import type { Clock } from "./locale.ts";

/** Guesses the language from `Accept-Language` and the time zone from the request's location. */
export function getClock(request: Request, context: AppLoadContext): Clock {
  const candidates = [getEnv(context).TIME_ZONE, context.cloudflare.cf?.timezone];
  const languages = (request.headers.get("Accept-Language") ?? "").split(",");
  return {
    locale:
      firstOf(
        languages.map((entry) => entry.split(";")[0]?.trim()),
        isLocale,
      ) ?? "en",
    timeZone: firstOf(candidates, isTimeZone) ?? "UTC",
  };
}

function firstOf(
  candidates: unknown[],
  accepts: (candidate: string) => boolean,
): string | undefined {
  return candidates.find(
    (candidate): candidate is string => typeof candidate === "string" && accepts(candidate),
  );
}

function isLocale(candidate: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(candidate).length > 0;
  } catch {
    return false;
  }
}

/** The last result: creating a formatter is slow, and most users of one edge location share their time zone. */
let last = { zone: "UTC", isTimeZone: true };

function isTimeZone(candidate: string): boolean {
  if (candidate !== last.zone) last = { zone: candidate, isTimeZone: canFormat(candidate) };
  return last.isTimeZone;
}

function canFormat(timeZone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat("en", { timeZone }));
  } catch {
    return false;
  }
}
