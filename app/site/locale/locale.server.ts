import type { AppLoadContext } from "@remix-run/cloudflare";

import { getEnv } from "#app/env.server.ts";
import type { Clock } from "./locale.ts";

/** Returns how the visitor reads a clock, as far as the request tells: the edge knows the zone, the browser the language. */
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

/** What was found of the last zone: making a format is slow, and most visitors of one edge share theirs. */
let known = { zone: "UTC", isTimeZone: true };

function isTimeZone(candidate: string): boolean {
  if (candidate !== known.zone) known = { zone: candidate, isTimeZone: canFormat(candidate) };
  return known.isTimeZone;
}

function canFormat(timeZone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat("en", { timeZone }));
  } catch {
    return false;
  }
}
