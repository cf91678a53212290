import { getAccounts } from "#app/accounts/account.server.ts";
import {
  callAuth,
  ProfileFormError,
  redirectWithFlash,
  type ProfileAction,
} from "./profile-action.server.ts";

/** Removes Google as a way to sign in, unless it is the only one. */
export async function unlinkGoogle({ request, context, user }: ProfileAction) {
  const accounts = getAccounts(context);
  const { hasPassword } = await callAuth("sign-in", () => accounts.getDetails(user.idToken));
  if (!hasPassword) {
    const message = "Google is your only way to sign in.";
    throw new ProfileFormError(400, { banner: { message, hint: "Choose a password first." } });
  }
  await callAuth("sign-in", () => accounts.unlinkGoogle(user.idToken));
  return redirectWithFlash(request, "/profile?tab=security", "google-unlinked");
}
