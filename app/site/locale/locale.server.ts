import type { AppLoadContext } from "@remix-run/cloudflare";

import { getEnv } from "#app/env.server.ts";
import { chooseLocale, type Locale } from "./locale.ts";

/** Guesses the locale of a request: the language from its header, the time zone from Cloudflare. */
export function getLocale(request: Request, context: AppLoadContext): Locale {
  const languages = (request.headers.get("Accept-Language") ?? "").split(",");
  return chooseLocale(
    languages.map((entry) => entry.split(";")[0]?.trim()),
    [getEnv(context).TIME_ZONE, context.cloudflare.cf?.timezone],
  );
}
