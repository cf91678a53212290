import { getAccounts } from "#app/accounts/account.server.ts";
import { signOutEverywhereSchema } from "#app/profile/profile-schema.ts";
import {
  callAuth,
  parseProfileForm,
  redirectWithFlash,
  type ProfileAction,
} from "./profile-action.server.ts";
import { continueSession, reauthenticate } from "./reauthenticate.server.ts";

/**
 * Ends all other sessions by setting the current password once more. Firebase ends sessions when the password changes, and
 * users have no other way: the Admin SDK's `validSince` needs a service account with roles, which this app does not have.
 *
 * @see https://firebase.google.com/docs/auth/admin/manage-sessions
 */
export async function signOutEverywhere(action: ProfileAction) {
  const { request, context, form } = action;
  const { currentPassword } = parseProfileForm(form, signOutEverywhereSchema);
  const { idToken } = await reauthenticate(action, currentPassword);
  const tokens = await callAuth("sign-up", () =>
    getAccounts(context).updatePassword(idToken, currentPassword),
  );
  const headers = await continueSession(action, tokens);
  return redirectWithFlash(request, "/profile?tab=security", "signed-out-elsewhere", headers);
}
