import { createHash, randomBytes } from "node:crypto";

import type { GoogleAccount } from "./accounts.ts";

/** @see https://datatracker.ietf.org/doc/html/rfc6749#section-4.1.2 */
const LIFETIME_MS = 10 * 60_000;

/** The account and the request that a code was issued for. */
export interface Grant {
  account: GoogleAccount;
  clientId: string;
  redirectUri: string;
  scope: string;
  nonce: string | null;
  /** SHA-256 of the code verifier, in base64url. */
  codeChallenge: string;
}

/** The unused authorization codes. Each is valid once, for ten minutes. */
export class AuthorizationCodes {
  readonly #grants = new Map<string, Grant & { expiresAt: number }>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  issue(grant: Grant): string {
    const code = `4/0${randomBytes(32).toString("base64url")}`;
    this.#grants.set(code, { ...grant, expiresAt: this.#now() + LIFETIME_MS });
    return code;
  }

  /** Returns the grant if the code, redirect URI and verifier match. The code is invalid afterwards in any case. */
  redeem(code: string, redirectUri: string, codeVerifier: string): Grant | undefined {
    const grant = this.#grants.get(code);
    this.#grants.delete(code);
    if (grant === undefined || grant.expiresAt < this.#now()) return undefined;
    const codeChallenge = createHash("sha256").update(codeVerifier).digest("base64url");
    return grant.redirectUri === redirectUri && grant.codeChallenge === codeChallenge
      ? grant
      : undefined;
  }
}
