import { createHash, randomBytes } from "node:crypto";

import type { Person } from "./people.ts";

/** @see https://datatracker.ietf.org/doc/html/rfc6749#section-4.1.2 */
const LIFETIME_MS = 10 * 60_000;

/** What a code was given for. */
export interface Grant {
  person: Person;
  clientId: string;
  redirectUri: string;
  scope: string;
  nonce: string | null;
  /** PKCE's, by SHA-256. */
  challenge: string;
}

/** The codes that were given and not used. Each counts once, and for ten minutes. */
export class Codes {
  readonly #grants = new Map<string, Grant & { expiresAt: number }>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  give(grant: Grant): string {
    const code = `4/0${randomBytes(32).toString("base64url")}`;
    this.#grants.set(code, { ...grant, expiresAt: this.#now() + LIFETIME_MS });
    return code;
  }

  /** Returns what the code was given for, if everything fits; the code is used up either way. */
  redeem(code: string, redirectUri: string, verifier: string): Grant | undefined {
    const grant = this.#grants.get(code);
    this.#grants.delete(code);
    if (grant === undefined || grant.expiresAt < this.#now()) return undefined;
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    return grant.redirectUri === redirectUri && grant.challenge === challenge ? grant : undefined;
  }
}
