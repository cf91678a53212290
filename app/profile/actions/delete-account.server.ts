import { decodeJwt } from "jose";

import { getAccounts } from "#app/accounts/account.server.ts";
import { toFormError } from "#app/accounts/form-error.server.ts";
import { toAuthError } from "#app/firebase/auth-error.server.ts";
import { joinHeaders } from "#app/http/headers.ts";
import { logError } from "#app/http/log-error.server.ts";
import { getUserData } from "#app/profile/deletion.server.ts";
import { deleteAccountSchema, type MessagesChoice } from "#app/profile/profile-schema.ts";
import { ActionFailure } from "#app/session/run-action.server.ts";
import { getSessionCookie, isSessionEndedError } from "#app/session/session.server.ts";
import { removeDevicePositions } from "#app/stories/positions/positions.server.ts";
import { getPublishedStories } from "#app/stories/published.server.ts";
import {
  callAuth,
  parseProfileForm,
  reauthenticate,
  type ProfileAction,
  type ProfileActionDone,
} from "./profile-action.server.ts";

/** Firebase Authentication requires a sign-in within the last five minutes to delete an account. */
const RECENT_SECONDS = 5 * 60;

/**
 * Deletes the data first, because without the account nobody could delete it. After an error, the user can start the
 * deletion again.
 */
export async function deleteAccount(action: ProfileAction): Promise<ProfileActionDone> {
  const { request, context, form, user } = action;
  const { email, currentPassword, messages, after } = parseProfileForm(form, deleteAccountSchema);
  if (email.trim().toLowerCase() !== user.email.toLowerCase()) {
    const fieldErrors = { email: ["This isn't your account's e-mail"] };
    throw new ActionFailure({ reason: "invalid", fieldErrors });
  }
  const { idToken } = await requireRecentToken(action, currentPassword);
  const deletion = await deleteUserData(action, idToken, messages, after);
  if (deletion.status === "unfinished") {
    // The form is shown again, and the next attempt continues there.
    form.set("after", deletion.after ?? "");
    throw new ActionFailure({
      reason: "unavailable",
      message: "There's too much to delete at once.",
      hint: "Some of your data is deleted, but you still have your account. Press the button again to continue.",
    });
  }
  await deleteUser(action, idToken);
  const headers = joinHeaders(
    getSessionCookie(context).destroySession(request),
    removeDevicePositions(request, user),
  );
  return { path: "/home", flash: "account-deleted", headers };
}

async function deleteUserData(
  { context, user }: ProfileAction,
  idToken: string,
  messages: MessagesChoice,
  after: string | undefined,
) {
  try {
    return await getUserData(context).deletePermanently(
      { uid: user.uid, idToken },
      messages,
      after,
    );
  } catch (error) {
    // The page does not show the database's error.
    logError("Could not delete a user's data.", error);
    throw new ActionFailure({
      reason: "unavailable",
      message: "We couldn't delete everything.",
      hint: "You still have your account. Try again to delete the rest.",
    });
  } finally {
    getPublishedStories(context).clearLists();
  }
}

async function deleteUser({ context }: ProfileAction, idToken: string): Promise<void> {
  try {
    await getAccounts(context).deleteUser(idToken);
  } catch (error) {
    // A parallel request may have deleted the account.
    if (isSessionEndedError(error)) return;
    const { reason, banner } = toFormError("sign-in", error);
    // The session was deleted with the data.
    const hint =
      "Your data is deleted, but your account isn't. Sign in again and delete it once more.";
    throw new ActionFailure({ reason, ...banner, hint });
  }
}

/**
 * Returns the token of a recent sign-in. Signs in with the password; an account without one uses the session's token.
 */
async function requireRecentToken(action: ProfileAction, password: string | undefined) {
  const { context, user } = action;
  const { hasPassword } = await callAuth("sign-in", () =>
    getAccounts(context).getDetails(user.idToken),
  );
  if (hasPassword) {
    if (password) return reauthenticate(action, password);
    const fieldErrors = { currentPassword: ["Password is required"] };
    throw new ActionFailure({ reason: "invalid", fieldErrors });
  }
  const hint = "Sign in with Google again, then come back here within five minutes.";
  await callAuth("sign-in", async () => requireRecentSignIn(user.idToken, Date.now), { hint });
  return { idToken: user.idToken };
}

/**
 * Requires a recent sign-in, as the provider does. Check it first, because the provider would reject the last step of a
 * deletion after the earlier steps have succeeded.
 *
 * @throws {AuthError} `requires-recent-login`
 */
function requireRecentSignIn(idToken: string, now: () => number): void {
  const signedInAt = Number(decodeJwt(idToken).auth_time);
  if (now() / 1000 - signedInAt <= RECENT_SECONDS) return;
  throw toAuthError("CREDENTIAL_TOO_OLD_LOGIN_AGAIN");
}
