import { parse, serialize } from "cookie";

import type { FirebaseConfig } from "#app/firebase/config.ts";
import { createCookie } from "#app/http/cookie.server.ts";
import type { Consent } from "./consent.tsx";

/** Half a year, after which the user is asked again. */
const cookie = createCookie("analytics", { maxAgeSeconds: 182 * 24 * 60 * 60 });

type ConsentAnswer = "yes" | "no";

/** Returns the value if it is an answer. */
export function findConsentAnswer(value: unknown): ConsentAnswer | undefined {
  return value === "yes" || value === "no" ? value : undefined;
}

/**
 * Returns the user's consent and the analytics configuration, or `null` if page views are not counted. The consent is
 * `never` if the browser sends Global Privacy Control.
 *
 * @see https://w3c.github.io/gpc/
 */
export function getAnalytics(
  request: Request,
  { apiKey, projectId, appId, measurementId }: FirebaseConfig & { measurementId?: string },
) {
  if (measurementId === undefined || appId === undefined) return null;
  // Analytics would send this URL, with its secret code, to Google.
  if (new URL(request.url).searchParams.has("oobCode")) return null;
  const hasPrivacyControl = request.headers.get("Sec-GPC") === "1";
  const consent: Consent = hasPrivacyControl
    ? "never"
    : (findConsentAnswer(cookie.read(request)) ?? "unasked");
  return { consent, firebase: { apiKey, projectId, appId, measurementId } };
}

/** Returns the headers that store the answer. A "no" also deletes the cookies of Google Analytics. */
export function setConsent(request: Request, answer: ConsentAnswer): Headers {
  const headers = new Headers();
  headers.append("Set-Cookie", cookie.write(request, answer));
  if (answer === "yes") return headers;
  const names = Object.keys(parse(request.headers.get("Cookie") ?? ""));
  for (const name of names.filter((name) => /^_ga(?:_\w+)?$/.test(name))) {
    headers.append("Set-Cookie", serialize(name, "", { path: "/", maxAge: 0 }));
  }
  return headers;
}
