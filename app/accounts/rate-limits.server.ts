import { oncePerEnv, type Env } from "#app/env.server.ts";
import { toProviderError } from "#app/firebase/auth-error.server.ts";
import { createLocalLimit, findLimit } from "#app/session/rate-limit.server.ts";

/** Uses of a key a minute. What is bound has the same numbers: see `wrangler.toml`. */
const STRICT = 5;
const LOOSE = 30;

/** What can be tried over and over, to guess a password, to fill the project or to fill a mailbox. */
type Attempt = "sign-in" | "sign-up" | "google" | "reset";

/**
 * Limits how often something is tried: 5 times a minute for one account from one address, so that a guesser gets
 * nowhere; 30 times for one account from everywhere and for one address in all, which leaves a family behind one
 * address alone. One stranger's address cannot lock somebody out; six of them, each at its limit, can for as long as
 * they go on. That is the price of a limit which also holds against a guesser with many addresses.
 *
 * The limits are the deployment's, bound as `ATTEMPTS_STRICT` and `ATTEMPTS_LOOSE`, or this isolate's own. They see
 * neither addresses nor accounts, only keys made from them with the session secret. Attempts that are refused here do
 * not count further.
 */
export function createAttemptService(
  { SESSION_SECRET }: Pick<Env, "SESSION_SECRET">,
  bindings: object,
  now: () => number,
) {
  const strict = findLimit(bindings, "ATTEMPTS_STRICT", createLocalLimit(STRICT, now));
  const loose = findLimit(bindings, "ATTEMPTS_LOOSE", createLocalLimit(LOOSE, now));
  const hmacKey = importKey(SESSION_SECRET);

  async function toKey(...parts: string[]): Promise<string> {
    const bytes = new TextEncoder().encode(JSON.stringify(parts));
    const digest = new Uint8Array(await crypto.subtle.sign("HMAC", await hmacKey, bytes));
    return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  return {
    /**
     * Counts an attempt before the provider is asked.
     *
     * @param email whose account it is about, as typed
     * @throws {ProviderError} `too-many-requests`, as the provider would say it itself
     */
    async admit(request: Request, attempt: Attempt, email: string): Promise<void> {
      const account = email.trim().toLowerCase();
      const network = findNetwork(request);
      const counts = [
        ...(account ? [{ by: strict, parts: ["account", account, network ?? ""] }] : []),
        ...(account ? [{ by: loose, parts: ["account", account] }] : []),
        ...(network ? [{ by: loose, parts: ["network", network] }] : []),
      ];
      for (const { by, parts } of counts) {
        const { success } = await by.limit({ key: await toKey(attempt, ...parts) });
        if (!success) throw toProviderError("TOO_MANY_ATTEMPTS_TRY_LATER");
      }
    },
  };
}

/**
 * Returns where a request comes from, or `undefined` where only the machine itself can ask, as in development. Whoever
 * has one address of IPv6 has a whole /64 of them.
 */
function findNetwork({ headers }: Request): string | undefined {
  const address = headers.get("CF-Connecting-IP") ?? "";
  if (address === "" || address === "::1" || address.startsWith("127.")) return undefined;
  if (!address.includes(":")) return address;
  const [head = "", tail = ""] = address.toLowerCase().split("::");
  const [left, right] = [head, tail].map((half) => half.split(":").filter(Boolean));
  const zeros = 8 - (left?.length ?? 0) - (right?.length ?? 0);
  const groups = [
    ...(left ?? []),
    ...Array<string>(Math.max(0, zeros)).fill("0"),
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

export const getSignInLimits = oncePerEnv((env, context) =>
  createAttemptService(env, context.cloudflare.env, () => Date.now()),
);
