import type { AppLoadContext } from "@remix-run/cloudflare";

import { getEnv } from "#app/env.server.ts";
import { chooseLocale, type Locale } from "./locale.ts";

/** Guesses the locale of a request: the language from its header, the time zone from Cloudflare. */
export function getLocale(request: Request, context: AppLoadContext): Locale {
  // Asking `Intl` about a language is slow, and nobody reads more than ten.
  const languages = (request.headers.get("Accept-Language") ?? "").split(",", 10);
  return chooseLocale(
    languages.map((entry) => entry.split(";")[0]?.trim()),
    [getEnv(context).TIME_ZONE, context.cloudflare.cf?.timezone],
  );
}
