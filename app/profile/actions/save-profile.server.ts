import { getAccounts } from "#app/accounts/account.server.ts";
import { AuthError } from "#app/firebase/auth-error.server.ts";
import { joinHeaders } from "#app/http/headers.ts";
import { profileSchema } from "#app/profile/profile-schema.ts";
import { getUnsavedProfile } from "#app/profile/unsaved-profile.server.ts";
import { getSessionCookie } from "#app/session/session.server.ts";
import { getWriteLimit } from "#app/session/write-limit.server.ts";
import {
  callAuth,
  parseProfileForm,
  ProfileFormError,
  redirectWithFlash,
  type ProfileAction,
} from "./profile-action.server.ts";

/**
 * Saves the name and photo. Messages and stories keep the ones they were sent with, so no cached page becomes outdated.
 */
export async function saveProfile({ request, context, form, user }: ProfileAction) {
  const profile = parseProfileForm(form, profileSchema);
  if (!(await getWriteLimit(context).consume(user.uid, "profile")))
    throw createTooManyChangesError();
  await callAuth("sign-in", () => getAccounts(context).updateProfile(user.idToken, profile));
  // Otherwise the session would have the new name only after its next refresh, within the hour.
  const cookie = await getSessionCookie(context).refreshSession(request).catch(ignoreAuthError);
  const unsaved = await getUnsavedProfile(context).clear(request, "displayName");
  const headers = joinHeaders(cookie, unsaved);
  return redirectWithFlash(request, "/profile?tab=name", "profile-saved", headers);
}

function createTooManyChangesError() {
  return new ProfileFormError(429, {
    banner: {
      message: "Not saved.",
      hint: "You've changed your profile too many times. Try again in a minute.",
    },
  });
}

function ignoreAuthError(error: unknown) {
  if (!(error instanceof AuthError)) throw error;
  return {};
}
