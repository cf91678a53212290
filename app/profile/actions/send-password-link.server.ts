import { getAccounts } from "#app/accounts/account.server.ts";
import { getEmailCooldown } from "#app/accounts/email-links/cooldown.server.ts";
import { getSignInLimits } from "#app/accounts/rate-limits.server.ts";
import { assertCooldown } from "./assert-cooldown.server.ts";
import { callAuth, redirectWithFlash, type ProfileAction } from "./profile-action.server.ts";

/** Sends a link to choose a password, for an account that has none. */
export async function sendPasswordLink(action: ProfileAction) {
  const { request, context, user } = action;
  await assertCooldown(action);
  await callAuth("sign-in", async () => {
    await getSignInLimits(context).consume(request, "reset", user.email);
    await getAccounts(context).sendOwnPasswordResetEmail(user.email);
  });
  const cookie = await getEmailCooldown(context).start(request, user.email);
  return redirectWithFlash(request, "/profile?tab=security", "password-link-sent", cookie);
}
