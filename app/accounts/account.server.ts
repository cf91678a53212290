import * as z from "zod";

import { createServiceGetter, type Env } from "#app/env.server.ts";
import { AuthError } from "#app/firebase/auth-error.server.ts";
import {
  createAuthCall,
  lookupKindSchema,
  requireFoundUser,
  tokensSchema,
  type Tokens,
} from "#app/firebase/identity-toolkit.server.ts";
import { wait } from "#app/http/wait.ts";

/** The minimum duration of a reset request, so that its timing does not reveal whether an account exists. */
const RESET_MIN_MS = 1000;

/** The provider's error codes that would reveal whether an account exists. */
const REVEALING_CODES = new Set([
  "EMAIL_NOT_FOUND",
  "RESET_PASSWORD_EXCEED_LIMIT",
  "USER_DISABLED",
]);

const millisecondsSchema = z.coerce.number();

const lookupSchema = z.object({
  kind: lookupKindSchema,
  users: z
    .array(
      z.object({
        email: z.string().default(""),
        emailVerified: z.boolean().default(false),
        createdAt: millisecondsSchema,
        lastLoginAt: millisecondsSchema.optional(),
        providerUserInfo: z
          .array(z.object({ providerId: z.string(), email: z.string().default("") }))
          .default([]),
      }),
    )
    .default([]),
});

/** Details of an account that its tokens do not contain. */
export interface AccountDetails {
  isEmailConfirmed: boolean;
  /** Whether the account has a password: one that was created with Google has none at first. */
  hasPassword: boolean;
  /** The address of the linked Google account, or `null`. */
  googleEmail: string | null;
  /** Milliseconds since the Unix epoch, like `signedInAt`. */
  createdAt: number;
  signedInAt: number | null;
}

/** The account that the code from an e-mail belongs to. */
const codeSchema = z.object({ localId: z.string().optional(), email: z.string().default("") });
type ActionCodeInfo = z.infer<typeof codeSchema>;

const anyResponse = z.unknown();

/**
 * Changes accounts at Firebase Authentication over REST, with a user's ID token or a code from an e-mail. Methods have
 * the names of the Firebase SDK's functions where these exist, and throw an `AuthError`, see `createAuthCall`.
 *
 * @see https://cloud.google.com/identity-platform/docs/reference/rest/v1/accounts
 */
export function createAccountService(env: Env) {
  const call = createAuthCall(env, "identitytoolkit.googleapis.com");

  async function sendPasswordLink(email: string): Promise<void> {
    await call(anyResponse, "accounts:sendOobCode", { requestType: "PASSWORD_RESET", email });
  }

  return {
    async getDetails(idToken: string, timeoutMs?: number): Promise<AccountDetails> {
      const { users } = await call(lookupSchema, "accounts:lookup", { idToken }, timeoutMs);
      const user = requireFoundUser(users);
      const google = user.providerUserInfo.find(({ providerId }) => providerId === "google.com");
      return {
        isEmailConfirmed: user.emailVerified,
        hasPassword: user.providerUserInfo.some(({ providerId }) => providerId === "password"),
        googleEmail: google?.email ?? null,
        createdAt: user.createdAt,
        signedInAt: user.lastLoginAt ?? null,
      };
    },

    /**
     * Sets the name and the photo, or deletes one that is empty. Tokens contain the change after their next refresh.
     */
    async updateProfile(
      idToken: string,
      { displayName, photoURL }: { displayName: string; photoURL: string },
    ): Promise<void> {
      await call(anyResponse, "accounts:update", {
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
     * Sets the password. The provider ends all sessions, even if the password is the same, so this returns the tokens
     * of a new session. Requires a recent sign-in.
     */
    updatePassword(idToken: string, password: string): Promise<Tokens> {
      const body = { idToken, password, returnSecureToken: true };
      return call(tokensSchema, "accounts:update", body);
    },

    /** Removes Google as a way to sign in to the account. */
    async unlinkGoogle(idToken: string): Promise<void> {
      const body = { idToken, deleteProvider: ["google.com"], returnSecureToken: false };
      await call(anyResponse, "accounts:update", body);
    },

    /** Deletes the account. Requires a recent sign-in. */
    async deleteUser(idToken: string): Promise<void> {
      await call(anyResponse, "accounts:delete", { idToken });
    },

    /**
     * Sends a link to reset the password, if the address has an account. Neither the result nor the duration reveals
     * whether it has one.
     */
    async sendPasswordResetEmail(email: string): Promise<void> {
      const sending = sendPasswordLink(email).catch((error: unknown) => {
        if (error instanceof AuthError && REVEALING_CODES.has(error.wireCode ?? "")) return;
        throw error;
      });
      await Promise.all([sending, wait(RESET_MIN_MS)]);
    },

    /** Sends the same link to a signed-in user, without hiding errors. */
    sendOwnPasswordResetEmail: sendPasswordLink,

    /** Sends the user a link that confirms their e-mail address. */
    async sendEmailVerification(idToken: string, timeoutMs?: number): Promise<void> {
      const request = { requestType: "VERIFY_EMAIL", idToken };
      await call(anyResponse, "accounts:sendOobCode", request, timeoutMs);
    },

    /** Returns the account of a password reset code, without using up the code. */
    verifyPasswordResetCode(oobCode: string): Promise<ActionCodeInfo> {
      return call(codeSchema, "accounts:resetPassword", { oobCode });
    },

    /** Sets the password with a reset code, which ends all sessions. Returns the account of the code. */
    confirmPasswordReset(oobCode: string, newPassword: string): Promise<ActionCodeInfo> {
      return call(codeSchema, "accounts:resetPassword", { oobCode, newPassword });
    },

    /** Applies a code about an e-mail address: confirms it, changes it or restores the previous one. */
    applyActionCode(oobCode: string): Promise<ActionCodeInfo> {
      return call(codeSchema, "accounts:update", { oobCode });
    },
  };
}

export const getAccounts = createServiceGetter((env) => createAccountService(env));
