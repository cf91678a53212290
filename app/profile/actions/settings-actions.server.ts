import { getAccounts } from "#app/accounts/account.server.ts";
import { getHiddenPeople } from "#app/chat/hidden.server.ts";
import { getPublicName } from "#app/chat/message.ts";
import { saveUnseen as saveUnseenMode } from "#app/chat/unseen.server.ts";
import { getEnv } from "#app/env.server.ts";
import { AuthError } from "#app/firebase/auth-error.server.ts";
import { DatabaseError } from "#app/firebase/database.server.ts";
import { isDocumentId } from "#app/firebase/document-id.ts";
import { getText } from "#app/http/form-text.ts";
import { joinHeaders } from "#app/http/headers.ts";
import { logError } from "#app/http/log-error.server.ts";
import { aboutSchema, profileSchema } from "#app/profile/profile-schema.ts";
import { getUnsavedProfile } from "#app/profile/unsaved-profile.server.ts";
import { ActionFailure } from "#app/session/run-action.server.ts";
import { getSessionCookie } from "#app/session/session.server.ts";
import { setUncounted } from "#app/stories/readers/readers.server.ts";
import { getWriters } from "#app/stories/writers/writers.server.ts";
import {
  callAuth,
  parseProfileForm,
  redirectWithFlash,
  type ProfileAction,
} from "./profile-action.server.ts";

/**
 * Saves the name and photo. Messages and stories keep the ones they were sent with, so no cached page becomes outdated.
 */
export async function saveProfile(action: ProfileAction) {
  const { request, context, form, user } = action;
  const profile = parseProfileForm(form, profileSchema);
  await callAuth("sign-in", () => getAccounts(context).updateProfile(user.idToken, profile));
  // Otherwise the session would have the new name only after its next refresh, within the hour.
  const cookie = await getSessionCookie(context).refreshSession(request).catch(ignoreAuthError);
  const unsaved = await getUnsavedProfile(context).clear(request, "displayName");
  const headers = joinHeaders(cookie, unsaved);
  return redirectWithFlash(request, "/profile?tab=name", "profile-saved", headers);
}

/** Saves the line about the user, with their name and photo. */
export async function saveAbout(action: ProfileAction) {
  const { request, context, form, user } = action;
  const { about } = parseProfileForm(form, aboutSchema);
  const name = getPublicName(user.displayName);
  const writers = getWriters(context);
  const fields = { name, about, photoURL: user.photoURL };
  if (!(await writers.isSaved(user.uid, fields))) await writers.save(user, fields);
  const headers = await getUnsavedProfile(context).clear(request, "about");
  return redirectWithFlash(request, "/profile?tab=name", "about-saved", headers);
}

/** Turns unseen mode, which hides the user's presence from others, on or off. */
export async function saveUnseen({ request, context, form, user }: ProfileAction) {
  await saveSetting(saveUnseenMode(context, user, getText(form, "unseen") === "true"));
  return redirectWithFlash(request, "/profile?tab=data", "unseen-saved");
}

/** Leaves the user out of the numbers of readers, or counts them again. */
export async function saveUncounted({ request, context, form, user }: ProfileAction) {
  await saveSetting(setUncounted(getEnv(context), user, getText(form, "uncounted") === "true"));
  return redirectWithFlash(request, "/profile?tab=data", "uncounted-saved");
}

/** Shows the messages of a hidden person again. */
export async function showPerson({ request, context, form, user }: ProfileAction) {
  const person = getText(form, "person");
  if (!isDocumentId(person)) throw new ActionFailure({ reason: "invalid" });
  await getHiddenPeople(context).show(user, person);
  return redirectWithFlash(request, "/profile?tab=hidden", "person-shown");
}

/** Waits until a setting is saved. @throws {ActionFailure | UnavailableError} */
async function saveSetting(saved: Promise<void>): Promise<void> {
  try {
    await saved;
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    // The database's rules may not be deployed. Only the log shows that.
    logError("A setting was rejected.", error);
    const hint = "Our database rejected the change. Nothing was changed; try again.";
    throw new ActionFailure({ reason: "unavailable", hint });
  }
}

function ignoreAuthError(error: unknown) {
  if (!(error instanceof AuthError)) throw error;
  return {};
}
