import { importPKCS8, SignJWT } from "jose";
import * as z from "zod";

import type { Env } from "#app/env.server.ts";

const TIMEOUT_MS = 15_000;
const AUDIENCE = "https://oauth2.googleapis.com/token";
/** Granted to every service account, whatever its roles. */
const SCOPE = "https://www.googleapis.com/auth/userinfo.email";

/** `unknown`: the account does not exist; `wrong-key`: the account never had this key, or no longer has it. */
export type ServiceAccountProblem =
  | "unknown"
  | "wrong-key"
  | "wrong-clock"
  | "no-answer"
  | "rejected";

const errorSchema = z.object({ error_description: z.string() });

/** Google's descriptions of errors, whose code is always `invalid_grant`. */
const DESCRIPTIONS: [RegExp, ServiceAccountProblem][] = [
  [/account not found|not a valid email/i, "unknown"],
  [/invalid jwt signature/i, "wrong-key"],
  [/short-lived token/i, "wrong-clock"],
];

/**
 * Whether the address is one that Google gives to the accounts of the project. Firebase Authentication rejects the tokens
 * of other projects' accounts.
 */
export function isOfProject({
  FIREBASE_CLIENT_EMAIL: email = "",
  FIREBASE_PROJECT_ID: id,
}: Env): boolean {
  return email.endsWith(`@${id}.iam.gserviceaccount.com`);
}

/**
 * Asks Google for an access token as the service account, and discards the token. Google grants one only for a key that
 * it knows, and the request creates no user. Returns what is wrong, if anything.
 *
 * @param tokenUrl @default Google's token endpoint
 * @see https://developers.google.com/identity/protocols/oauth2/service-account#authorizingrequests
 */
export async function checkServiceAccount(
  { FIREBASE_CLIENT_EMAIL: email = "", FIREBASE_PRIVATE_KEY: key = "" }: Env,
  tokenUrl = AUDIENCE,
): Promise<ServiceAccountProblem | undefined> {
  const assertion = await new SignJWT({ scope: SCOPE })
    .setProtectedHeader({ alg: "RS256", typ: "JWT" })
    .setIssuer(email)
    .setAudience(AUDIENCE)
    .setIssuedAt()
    .setExpirationTime("5 minutes")
    .sign(await importPKCS8(key, "RS256"));
  const body = new URLSearchParams({
    grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
    assertion,
  });
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(tokenUrl, { method: "POST", body, signal }).catch(() => null);
  if (response === null || response.status >= 500 || response.status === 429) return "no-answer";
  if (response.ok) return undefined;
  const parsed = errorSchema.safeParse(await response.json().catch(() => null));
  const description = parsed.data?.error_description ?? "";
  return DESCRIPTIONS.find(([pattern]) => pattern.test(description))?.[1] ?? "rejected";
}
