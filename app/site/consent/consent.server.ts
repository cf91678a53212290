import { parse, serialize } from "cookie";

import type { FirebaseConfig } from "#app/firebase/config.ts";
import { createCookie } from "#app/http/cookie.server.ts";

/** After half a year the question may be asked again. */
const cookie = createCookie("analytics", { maxAgeSeconds: 182 * 24 * 60 * 60 });

type ConsentAnswer = "yes" | "no";
type Consent = ConsentAnswer | "unasked" | "never";

/** Returns the answer of that name, if there is one. */
export function findConsentAnswer(name: unknown): ConsentAnswer | undefined {
  return name === "yes" || name === "no" ? name : undefined;
}

/**
 * Tells whether page views may be counted, and where: `null` where a deployment counts none, `never`
 * where the browser asks not to be tracked.
 *
 * @see https://w3c.github.io/gpc/
 */
export function getAnalytics(
  request: Request,
  { apiKey, projectId, appId, measurementId }: FirebaseConfig & { measurementId?: string },
) {
  if (measurementId === undefined || appId === undefined) return null;
  // Whoever counts a page learns its address, and this one holds a secret.
  if (new URL(request.url).searchParams.has("oobCode")) return null;
  const isRefused = request.headers.get("Sec-GPC") === "1";
  const consent: Consent = isRefused
    ? "never"
    : (findConsentAnswer(cookie.read(request)) ?? "unasked");
  return { consent, firebase: { apiKey, projectId, appId, measurementId } };
}

/** Returns the headers that remember the choice. A refusal takes away what analytics has stored as well. */
export function setConsent(request: Request, choice: ConsentAnswer): Headers {
  const headers = new Headers();
  headers.append("Set-Cookie", cookie.write(request, choice));
  if (choice === "yes") return headers;
  const stored = Object.keys(parse(request.headers.get("Cookie") ?? ""));
  for (const name of stored.filter((name) => /^_ga(_|$)/.test(name))) {
    headers.append("Set-Cookie", serialize(name, "", { path: "/", maxAge: 0 }));
  }
  return headers;
}
