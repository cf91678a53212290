import * as z from "zod";

import { oncePerEnv, type Env } from "#app/env.server.ts";
import { ProviderError } from "#app/firebase/auth-error.server.ts";
import { createProviderCall } from "#app/firebase/identity-toolkit-call.server.ts";
import { requireUser, tokensSchema, type Tokens } from "#app/firebase/identity-toolkit.server.ts";
import { wait } from "#app/http/wait.server.ts";

/** A request for a reset is answered no sooner, so that time does not tell whether a mail was sent. */
const RESET_ANSWER_MS = 1000;

/** Answers to a reset that tell whether there is an account. */
const TELLTALES = new Set(["EMAIL_NOT_FOUND", "RESET_PASSWORD_EXCEED_LIMIT", "USER_DISABLED"]);

const milliseconds = z.coerce.number();

const lookupSchema = z.object({
  users: z
    .array(
      z.object({
        email: z.string().default(""),
        emailVerified: z.boolean().default(false),
        createdAt: milliseconds,
        lastLoginAt: milliseconds.optional(),
        providerUserInfo: z
          .array(z.object({ providerId: z.string(), email: z.string().default("") }))
          .default([]),
      }),
    )
    .default([]),
});

/** What the provider knows of an account and its tokens do not say. */
export interface AccountDetails {
  isEmailConfirmed: boolean;
  /** Whether the account has a password; who came by Google has none. */
  hasPassword: boolean;
  /** The address of the Google account that is linked; `null` for none. */
  googleEmail: string | null;
  /** Milliseconds since the Unix epoch, like `signedInAt`. */
  createdAt: number;
  signedInAt: number | null;
}

/** Whose a code from a mail was. */
const codeSchema = z.object({ localId: z.string().optional(), email: z.string().default("") });
type CodeOwner = z.infer<typeof codeSchema>;

const anything = z.unknown();

/**
 * Changes accounts at Firebase Authentication over REST: as the person, by an ID token of theirs, or as whoever holds
 * a code from a mail. Methods throw a `ProviderError`, see `createProviderCall`.
 *
 * @see https://cloud.google.com/identity-platform/docs/reference/rest/v1/accounts
 */
export function createAccountService(env: Env) {
  const call = createProviderCall(env, "identitytoolkit.googleapis.com");

  async function sendPasswordLink(email: string): Promise<void> {
    await call(anything, "accounts:sendOobCode", { requestType: "PASSWORD_RESET", email });
  }

  return {
    async get(idToken: string, timeoutMs?: number): Promise<AccountDetails> {
      const { users } = await call(lookupSchema, "accounts:lookup", { idToken }, timeoutMs);
      const user = requireUser(users);
      const google = user.providerUserInfo.find(({ providerId }) => providerId === "google.com");
      return {
        isEmailConfirmed: user.emailVerified,
        hasPassword: user.providerUserInfo.some(({ providerId }) => providerId === "password"),
        googleEmail: google?.email ?? null,
        createdAt: user.createdAt,
        signedInAt: user.lastLoginAt ?? null,
      };
    },

    /** Sets name and photo, or takes away what is empty. They stand in tokens from the next refresh on. */
    async setProfile(
      idToken: string,
      { displayName, photoURL }: { displayName: string; photoURL: string },
    ): Promise<void> {
      await call(anything, "accounts:update", {
        idToken,
        ...(displayName && { displayName }),
        ...(photoURL && { photoUrl: photoURL }),
        deleteAttribute: [
          ...(displayName ? [] : ["DISPLAY_NAME"]),
          ...(photoURL ? [] : ["PHOTO_URL"]),
        ],
        returnSecureToken: false,
      });
    },

    /**
     * Sets a new password, or the same once more. Either way the provider ends all sessions, so a new one is
     * returned. The token has to be of a recent sign-in.
     */
    setPassword(idToken: string, password: string): Promise<Tokens> {
      const body = { idToken, password, returnSecureToken: true };
      return call(tokensSchema, "accounts:update", body);
    },

    /** Takes Google away from the ways in which the person can sign in. */
    async unlinkGoogle(idToken: string): Promise<void> {
      const body = { idToken, deleteProvider: ["google.com"], returnSecureToken: false };
      await call(anything, "accounts:update", body);
    },

    /** Deletes the account. The token has to be of a recent sign-in. */
    async remove(idToken: string): Promise<void> {
      await call(anything, "accounts:delete", { idToken });
    },

    /**
     * Has a link to a new password sent to the address, if there is an account of that address. Whether there is one
     * shows neither in what this returns nor in how long it takes.
     */
    async sendReset(email: string): Promise<void> {
      const answer = sendPasswordLink(email).catch((error: unknown) => {
        if (error instanceof ProviderError && TELLTALES.has(error.wireCode ?? "")) return;
        throw error;
      });
      await Promise.all([answer, wait(RESET_ANSWER_MS)]);
    },

    /** Has a link to a new password sent to somebody who is signed in, and tells them why if it cannot be. */
    sendOwnReset: sendPasswordLink,

    /** Has a link that confirms their address sent to the person. */
    async sendConfirmation(idToken: string, timeoutMs?: number): Promise<void> {
      const request = { requestType: "VERIFY_EMAIL", idToken };
      await call(anything, "accounts:sendOobCode", request, timeoutMs);
    },

    /** Returns whose password a code from a mail can set. The code stays good. */
    checkResetCode(oobCode: string): Promise<CodeOwner> {
      return call(codeSchema, "accounts:resetPassword", { oobCode });
    },

    /** Sets the password by a code from a mail, which ends all sessions, and returns whose it is. */
    resetPassword(oobCode: string, newPassword: string): Promise<CodeOwner> {
      return call(codeSchema, "accounts:resetPassword", { oobCode, newPassword });
    },

    /** Does what a code from a mail about an address stands for: confirms it, changes it or takes a change back. */
    applyCode(oobCode: string): Promise<CodeOwner> {
      return call(codeSchema, "accounts:update", { oobCode });
    },
  };
}

export const getAccounts = oncePerEnv((env) => createAccountService(env));
