import { getAccounts } from "#app/accounts/account.server.ts";
import { getEmailCooldown } from "#app/accounts/email-links/cooldown.server.ts";
import { getSignInLimits } from "#app/accounts/rate-limits.server.ts";
import { getText } from "#app/http/form.ts";
import { changePasswordSchema, signOutEverywhereSchema } from "#app/profile/profile-schema.ts";
import { getSessionRegistry } from "#app/session/registry.server.ts";
import { ActionFailure } from "#app/session/run-action.server.ts";
import { isSessionId } from "#app/session/session-record-schema.ts";
import { getSessionChecks } from "#app/session/user.server.ts";
import {
  callAuth,
  continueSession,
  parseProfileForm,
  reauthenticate,
  type ProfileAction,
} from "./profile-action.server.ts";

/** The provider's errors for a new password, by code, and the field that shows them. */
const NEW_PASSWORD_ERRORS = new Map([
  ["weak-password", "newPassword"],
  ["password-does-not-meet-requirements", "newPassword"],
]);

/** Changes the password, which ends all other sessions. */
export async function changePassword(action: ProfileAction) {
  const { context, form } = action;
  const { currentPassword, newPassword } = parseProfileForm(form, changePasswordSchema);
  const { idToken } = await reauthenticate(action, currentPassword);
  const tokens = await callAuth(
    "sign-up",
    () => getAccounts(context).updatePassword(idToken, newPassword),
    { fields: NEW_PASSWORD_ERRORS },
  );
  return { headers: await continueSession(action, tokens) };
}

/**
 * Ends all other sessions by setting the current password once more. Firebase ends sessions when the password changes, and
 * users have no other way: the Admin SDK's `validSince` needs a service account with roles, which this app does not have.
 *
 * @see https://firebase.google.com/docs/auth/admin/manage-sessions
 */
export async function signOutEverywhere(action: ProfileAction) {
  const { context, form } = action;
  const { currentPassword } = parseProfileForm(form, signOutEverywhereSchema);
  const { idToken } = await reauthenticate(action, currentPassword);
  const tokens = await callAuth("sign-up", () =>
    getAccounts(context).updatePassword(idToken, currentPassword),
  );
  return { headers: await continueSession(action, tokens) };
}

/** Ends one other session by deleting it from the registry. */
export async function endSession({ context, form, user }: ProfileAction) {
  const { uid, idToken } = user;
  const sessionId = getText(form, "session");
  if (!isSessionId(sessionId) || sessionId === user.sessionId) {
    throw new ActionFailure({ reason: "invalid" });
  }
  const isDeleted = await getSessionRegistry(context).delete({ uid, idToken }, sessionId);
  if (!isDeleted) {
    throw new ActionFailure({
      reason: "unavailable",
      message: "That browser is still signed in.",
      hint: "We can't reach the list of sessions. Nothing was changed; try again.",
    });
  }
  getSessionChecks(context).markEnded({ uid, sessionId });
}

/** Sends the link that confirms the e-mail address again. */
export async function sendConfirmation(action: ProfileAction) {
  const { context, user } = action;
  const send = () => getAccounts(context).sendEmailVerification(user.idToken);
  return { headers: await sendLink(action, send) };
}

/** Sends a link to choose a password, for an account that has none. */
export async function sendPasswordLink(action: ProfileAction) {
  const { context, user } = action;
  const send = () => getAccounts(context).sendOwnPasswordResetEmail(user.email);
  return { headers: await sendLink(action, send) };
}

/** Removes Google as a way to sign in, unless it is the only one. */
export async function unlinkGoogle({ context, user }: ProfileAction) {
  const accounts = getAccounts(context);
  const { hasPassword } = await callAuth("sign-in", () => accounts.getDetails(user.idToken));
  if (!hasPassword) {
    throw new ActionFailure({
      reason: "invalid",
      message: "Google is your only way to sign in.",
      hint: "Choose a password first.",
    });
  }
  await callAuth("sign-in", () => accounts.unlinkGoogle(user.idToken));
}

/**
 * Sends an e-mail to the user. Returns the headers that start the cooldown, during which no other is sent.
 *
 * @throws {ActionFailure} when the last one is less than a minute old, and for an error of the provider
 */
async function sendLink(
  { request, context, user }: ProfileAction,
  send: () => Promise<void>,
): Promise<HeadersInit> {
  const cooldown = getEmailCooldown(context);
  const seconds = await cooldown.getSecondsLeft(request, user.email);
  if (seconds > 0) {
    throw new ActionFailure({
      reason: "too-fast",
      message: "We already sent you a link.",
      hint: `You can ask for another in ${seconds === 1 ? "a second" : `${seconds} seconds`}.`,
    });
  }
  await callAuth("sign-in", async () => {
    await getSignInLimits(context).consume(request, "reset", user.email);
    await send();
  });
  return cooldown.start(request, user.email);
}
