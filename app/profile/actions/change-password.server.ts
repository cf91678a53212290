import { getAccounts } from "#app/accounts/account.server.ts";
import { changePasswordSchema } from "#app/profile/profile-schema.ts";
import {
  callAuth,
  parseProfileForm,
  redirectWithFlash,
  type ProfileAction,
} from "./profile-action.server.ts";
import { continueSession, reauthenticate } from "./reauthenticate.server.ts";

/** The provider's errors of a new password. */
const NEW_PASSWORD_ERRORS = new Map([
  ["weak-password", "newPassword"],
  ["password-does-not-meet-requirements", "newPassword"],
]);

/** Changes the password, which ends all other sessions. */
export async function changePassword(action: ProfileAction) {
  const { request, context, form } = action;
  const { currentPassword, newPassword } = parseProfileForm(form, changePasswordSchema);
  const { idToken } = await reauthenticate(action, currentPassword);
  const tokens = await callAuth(
    "sign-up",
    () => getAccounts(context).updatePassword(idToken, newPassword),
    { fields: NEW_PASSWORD_ERRORS },
  );
  const headers = await continueSession(action, tokens);
  return redirectWithFlash(request, "/profile?tab=security", "password-changed", headers);
}
