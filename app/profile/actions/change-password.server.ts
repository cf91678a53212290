import { getAccounts } from "#app/accounts/account.server.ts";
import { changePasswordSchema } from "#app/profile/profile-schema.ts";
import {
  callAuth,
  parseProfileForm,
  redirectWithFlash,
  type ProfileAction,
} from "./profile-action.server.ts";
import { continueSession, reauthenticate } from "./reauthenticate.server.ts";

/** Changes the password, which ends all other sessions. */
export async function changePassword(action: ProfileAction) {
  const { request, context, form } = action;
  const { currentPassword, newPassword } = parseProfileForm(form, changePasswordSchema);
  const { idToken } = await reauthenticate(action, currentPassword);
  const tokens = await callAuth("sign-up", () =>
    getAccounts(context).updatePassword(idToken, newPassword),
  );
  const headers = await continueSession(action, tokens);
  return redirectWithFlash(request, "/profile?tab=security", "password-changed", headers);
}
