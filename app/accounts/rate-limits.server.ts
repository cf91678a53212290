import * as z from "zod";

import { createServiceGetter, type Env } from "#app/env.server.ts";
import { toAuthError } from "#app/firebase/auth-error.server.ts";
import { createSealedCookie } from "#app/http/cookie.server.ts";
import { toHex } from "#app/http/hash.server.ts";
import { getRateLimits, type createRateLimits } from "#app/session/rate-limit.server.ts";

/** The actions that attackers repeat: to guess a password, to create accounts, or to flood a mailbox. */
type LimitedAction = "sign-in" | "sign-up" | "google" | "reset";

/**
 * Limits sign-ins: 5 per minute for one account from one network address, against password guessing; 30 per minute for
 * one account from anywhere, and for one address across all accounts, which is enough for a family. A single address
 * cannot lock a user out. Six addresses, each at its limit, can do so for as long as they continue: the price of a limit
 * that also holds against attackers with many addresses.
 *
 * The keys are made with the session secret and reveal neither addresses nor accounts. A rejected action does not count
 * towards further limits.
 */
export function createSignInLimits(
  { SESSION_SECRET }: Pick<Env, "SESSION_SECRET">,
  rateLimits: ReturnType<typeof createRateLimits>,
) {
  const hmacKey = importKey(SESSION_SECRET);

  async function toKey(...parts: string[]): Promise<string> {
    const bytes = new TextEncoder().encode(JSON.stringify(parts));
    return toHex(new Uint8Array(await crypto.subtle.sign("HMAC", await hmacKey, bytes)));
  }

  return {
    /**
     * Counts an action. Call it before the provider.
     *
     * @param email of the account, as typed
     * @throws {AuthError} `too-many-requests`, the provider's own code
     */
    async consume(request: Request, action: LimitedAction, email: string): Promise<void> {
      const account = email.trim().toLowerCase();
      const network = findNetworkAddress(request);
      const uses = [
        ...(account ? [["account-and-network", account, network ?? ""] as const] : []),
        ...(account ? [["account", account] as const] : []),
        ...(network ? [["network", network] as const] : []),
      ];
      for (const [name, ...parts] of uses) {
        const isAllowed = await rateLimits.consume(name, await toKey(action, ...parts));
        if (!isAllowed) throw toAuthError("TOO_MANY_ATTEMPTS_TRY_LATER");
      }
    },
  };
}

/**
 * Returns the network address of a request, or `undefined` for the local machine. For IPv6 it is the /64 prefix,
 * because a subscriber can use all addresses in it.
 */
function findNetworkAddress({ headers }: Request): string | undefined {
  const address = headers.get("CF-Connecting-IP") ?? "";
  if (address === "" || address === "::1" || address.startsWith("127.")) return undefined;
  if (!address.includes(":")) return address;
  const [head = "", tail = ""] = address.toLowerCase().split("::");
  const [left, right] = [head, tail].map((half) => half.split(":").filter(Boolean));
  const missingGroups = 8 - (left?.length ?? 0) - (right?.length ?? 0);
  const groups = [
    ...(left ?? []),
    ...Array<string>(Math.max(0, missingGroups)).fill("0"),
    ...(right ?? []),
  ];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":");
}

function importKey(secret: string): Promise<CryptoKey> {
  const bytes = new TextEncoder().encode(secret);
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
}

export const getSignInLimits = createServiceGetter((env, context) =>
  createSignInLimits(env, getRateLimits(context)),
);

/** The time between two e-mails to the same address. */
const COOLDOWN_SECONDS = 60;

const cooldownSchema = z.object({ email: z.string(), until: z.number() });

/**
 * Stores the cooldown in a sealed cookie, because isolates share no memory. If a browser deletes the cookie,
 * `getSignInLimits` still limits the e-mails.
 */
function createEmailCooldown(env: Env, now: () => number) {
  const options = { maxAgeSeconds: COOLDOWN_SECONDS, now };
  const cookie = createSealedCookie(env, "email-cooldown", options);

  return {
    /** Returns the seconds until another e-mail may be sent to the address; 0 when it may be sent now. */
    async getSecondsLeft(request: Request, email: string): Promise<number> {
      const cooldown = cooldownSchema.safeParse(await cookie.open(request)).data;
      if (cooldown?.email !== email.toLowerCase()) return 0;
      return Math.max(0, Math.ceil((cooldown.until - now()) / 1000));
    },

    /** Returns the headers that start the cooldown. */
    async start(request: Request, email: string) {
      const cooldown = { email: email.toLowerCase(), until: now() + COOLDOWN_SECONDS * 1000 };
      return { "Set-Cookie": await cookie.seal(request, cooldown) };
    },
  };
}

export const getEmailCooldown = createServiceGetter((env) =>
  createEmailCooldown(env, () => Date.now()),
);
