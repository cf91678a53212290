import type { AppLoadContext } from "@remix-run/cloudflare";
import { decodeJwt } from "jose";
import type * as z from "zod";

import { toFormError } from "#app/accounts/form-error.server.ts";
import { getSignInLimits } from "#app/accounts/rate-limits.server.ts";
import { AuthError } from "#app/firebase/auth-error.server.ts";
import { getIdentityToolkit, type Tokens } from "#app/firebase/identity-toolkit.server.ts";
import { getFieldNames, parseForm, type Form } from "#app/http/form.server.ts";
import {
  aboutSchema,
  changePasswordSchema,
  deleteAccountSchema,
  profileSchema,
  signOutEverywhereSchema,
} from "#app/profile/profile-schema.ts";
import { MODERATION_FIELDS } from "#app/profile/reports/moderation-schema.ts";
import { getSessionRegistry } from "#app/session/registry.server.ts";
import { ActionFailure } from "#app/session/run-action.server.ts";
import { getSessionCookie } from "#app/session/session.server.ts";
import type { AuthUser } from "#app/session/user.ts";
import type { Flash } from "#app/site/flash/flash.ts";

/** The fields of all forms on the profile. */
export const PROFILE_FIELDS = [
  "intent",
  "uid",
  "session",
  "person",
  "unseen",
  "uncounted",
  ...MODERATION_FIELDS,
  ...getFieldNames(profileSchema),
  ...getFieldNames(aboutSchema),
  ...getFieldNames(changePasswordSchema),
  ...getFieldNames(signOutEverywhereSchema),
  ...getFieldNames(deleteAccountSchema),
] as const;

export type ProfileForm = Form<(typeof PROFILE_FIELDS)[number]>;

/** A submitted form, and the user who submitted it. */
export interface ProfileAction {
  request: Request;
  context: AppLoadContext;
  form: ProfileForm;
  /** The chosen picture, if any. */
  photo: Blob | undefined;
  user: AuthUser & { idToken: string };
}

/** What a handler has done. */
export interface ProfileActionDone {
  headers?: HeadersInit;
  /** The page to show. @default the form's tab */
  path?: string;
  /** What that page says. @default the first of the form's flashes */
  flash?: Flash;
}

/** Handles one form. Throws an `ActionFailure` when it is not done. */
export type ProfileActionHandler = (action: ProfileAction) => Promise<ProfileActionDone | void>;

/** Returns the form's values. @throws {ActionFailure} with an error for each invalid field */
export function parseProfileForm<Schema extends z.ZodObject>(
  form: ProfileForm,
  schema: Schema,
): z.infer<Schema> {
  const submission = parseForm(form, schema);
  if (submission.status === "success") return submission.value;
  const errors = Object.entries(submission.error ?? {});
  const fieldErrors = Object.fromEntries(errors.map(([name, texts]) => [name, texts ?? []]));
  throw new ActionFailure({ reason: "invalid", fieldErrors });
}

/**
 * Calls the provider.
 *
 * @param screen whose error messages are used
 * @param options.hint replaces the error's own
 * @param options.fields the fields at which errors are shown, by provider code; other errors are shown above the form
 * @throws {ActionFailure} for an `AuthError`
 */
export async function callAuth<T>(
  screen: "sign-in" | "sign-up",
  call: () => Promise<T>,
  { hint, fields }: { hint?: string; fields?: ReadonlyMap<string, string> } = {},
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const { reason, banner } = toFormError(screen, error);
    const field = error instanceof AuthError ? fields?.get(error.code) : undefined;
    throw new ActionFailure({
      reason,
      ...banner,
      ...(hint !== undefined && { hint }),
      ...(field !== undefined && { fieldErrors: { [field]: [banner.message] } }),
    });
  }
}

/** The provider's errors for a wrong password. The e-mail address is the user's own. */
const CURRENT_PASSWORD_ERRORS = new Map([
  ["wrong-password", "currentPassword"],
  ["invalid-credential", "currentPassword"],
]);

/**
 * Signs the user in again with their password. It counts towards the limit of sign-ins.
 *
 * @throws {ActionFailure} for an error of the provider, and when the e-mail address now belongs to another account
 */
export function reauthenticate({ request, context, user }: ProfileAction, password: string) {
  const call = async () => {
    await getSignInLimits(context).consume(request, "sign-in", user.email);
    const tokens = await getIdentityToolkit(context).signIn(user.email, password);
    if (decodeJwt(tokens.idToken).sub === user.uid) return tokens;
    throw new AuthError("user-mismatch", undefined);
  };
  return callAuth("sign-in", call, { fields: CURRENT_PASSWORD_ERRORS });
}

/**
 * Continues this session with the tokens of a new password, which has ended all other sessions. Deletes those from the
 * registry if it can be reached. Returns the headers.
 */
export async function continueSession({ request, context, user }: ProfileAction, tokens: Tokens) {
  const { uid, sessionId } = user;
  await getSessionRegistry(context).deleteOthers({ uid, idToken: tokens.idToken }, sessionId);
  return getSessionCookie(context).createSession(request, tokens, sessionId);
}
