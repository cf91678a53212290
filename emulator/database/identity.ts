import { z } from "zod";

import { DatabaseError } from "./errors.ts";
import type { Auth } from "./rules/scope.ts";

/** The user that a connection or request acts as. Rules do not apply to administrators. */
export interface Identity {
  readonly isAdmin: boolean;
  readonly auth: Auth | null;
}

export const ANONYMOUS: Identity = { isAdmin: false, auth: null };

const ADMIN: Identity = { isAdmin: true, auth: null };

/** The `auth` variable, which an administrator may give. */
export const authSchema = z.looseObject({
  uid: z.string(),
  provider: z.string().nullable().default(null),
  token: z.record(z.string(), z.unknown()).default({}),
});

const claimsSchema = z
  .looseObject({
    sub: z.string().optional(),
    user_id: z.string().optional(),
    firebase: z.looseObject({ sign_in_provider: z.string().optional() }).optional(),
  })
  .refine(({ sub, user_id }) => Boolean(sub ?? user_id));

/**
 * Parses an ID token, or the word `owner` for an administrator.
 *
 * Unlike Firebase, neither the signature nor the expiry is checked: tokens of the Auth emulator have no signature, and
 * those of `mockUserToken` expired in 1970.
 *
 * @throws DatabaseError `invalid_token`
 */
export function parseCredential(credential: string): Identity {
  if (credential === "owner") return ADMIN;
  const claims = claimsSchema.safeParse(decodePayload(credential));
  if (!claims.success) throw new DatabaseError("invalid_token", "Could not parse auth token.");

  const { sub, user_id, firebase } = claims.data;
  return {
    isAdmin: false,
    auth: {
      uid: sub ?? user_id ?? "",
      provider: firebase?.sign_in_provider ?? null,
      token: claims.data,
    },
  };
}

/** The user that an administrator acts as, or a signed-out client when `null`. */
export const authOverrideSchema = authSchema.nullable();

/** Returns the identity of an administrator who acts as this user, whom the rules apply to. */
export function overrideAuth(auth: z.output<typeof authOverrideSchema>): Identity {
  return auth ? { isAdmin: false, auth } : ANONYMOUS;
}

function decodePayload(token: string): unknown {
  const payload = token.split(".")[1] ?? "";
  try {
    return JSON.parse(Buffer.from(payload, "base64url").toString());
  } catch {
    return null;
  }
}
