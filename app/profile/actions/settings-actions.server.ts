import type { AppLoadContext } from "@remix-run/cloudflare";

import { getAccounts } from "#app/accounts/account.server.ts";
import { getHiddenPeople } from "#app/chat/hidden.server.ts";
import { getPublicName } from "#app/chat/message.ts";
import { saveUnseen as saveUnseenMode } from "#app/chat/unseen.server.ts";
import { getEnv } from "#app/env.server.ts";
import { AuthError } from "#app/firebase/auth-error.server.ts";
import { DatabaseError } from "#app/firebase/database.server.ts";
import { FirestoreError } from "#app/firebase/firestore-error.server.ts";
import { isDocumentId } from "#app/firebase/document-id.ts";
import { getText } from "#app/http/form.ts";
import { joinHeaders } from "#app/http/headers.ts";
import { logError } from "#app/http/log-error.server.ts";
import { toPicturePath } from "#app/http/picture-path.ts";
import { storePicture } from "#app/pictures/pictures.server.ts";
import { aboutSchema, profileSchema } from "#app/profile/profile-schema.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { getUnsavedProfile } from "#app/profile/unsaved-profile.server.ts";
import { ActionFailure } from "#app/session/run-action.server.ts";
import { getSessionCookie } from "#app/session/session.server.ts";
import type { AuthUser } from "#app/session/user.ts";
import { setUncounted } from "#app/stories/readers/readers.server.ts";
import { getWriters } from "#app/stories/writers/writers.server.ts";
import { callAuth, parseProfileForm, type ProfileAction } from "./profile-action.server.ts";

/** Saves the name and photo, also for the writer's page. Messages and stories keep the ones they were sent with. */
export async function saveProfile(action: ProfileAction) {
  const { request, context, form, photo, user } = action;
  const profile = parseProfileForm(form, profileSchema);
  const path = photo ? await storePicture(context, user, photo) : toPicturePath(profile.photoURL);
  // The provider stores whole addresses.
  const photoURL = path === null ? profile.photoURL : new URL(path, request.url).href;
  const changes = { ...profile, photoURL };
  await callAuth("sign-in", () => getAccounts(context).updateProfile(user.idToken, changes));
  // Otherwise the session would have the new name only after its next refresh, within the hour.
  const session = await getSessionCookie(context).refreshSession(request).catch(ignoreAuthError);
  // Only the new token allows the new name.
  if (session?.user) await saveWriter(context, session.user).catch(logWriterError);
  const unsaved = await getUnsavedProfile(context).clear(request, "displayName");
  return { headers: joinHeaders(session?.headers ?? {}, unsaved) };
}

/** Saves the line about the user, with their name and photo. */
export async function saveAbout(action: ProfileAction) {
  const { request, context, form, user } = action;
  const { about } = parseProfileForm(form, aboutSchema);
  await saveWriter(context, user, about);
  return { headers: await getUnsavedProfile(context).clear(request, "about") };
}

/**
 * Saves what the writer's page shows of a user, if it has changed.
 *
 * @param about `undefined` keeps the line. A user who has never saved one has no document
 * @throws {FirestoreError | UnavailableError}
 */
async function saveWriter(context: AppLoadContext, user: AuthUser, about?: string) {
  const writers = getWriters(context);
  const saved = await writers.find(user.uid);
  if (!saved && about === undefined) return;
  const fields = {
    name: getPublicName(user.displayName),
    about: about ?? saved?.about ?? "",
    photoURL: user.photoURL,
  };
  const isSaved =
    saved?.name === fields.name &&
    saved.about === fields.about &&
    saved.photoURL === fields.photoURL;
  if (!isSaved) await writers.save(user, fields);
}

function logWriterError(error: unknown) {
  if (!(error instanceof FirestoreError || error instanceof UnavailableError)) throw error;
  logError("A writer's page keeps the old name", error);
}

/** Turns unseen mode, which hides the user's presence from others, on or off. */
export async function saveUnseen({ context, form, user }: ProfileAction) {
  await saveSetting(saveUnseenMode(context, user, getText(form, "unseen") === "true"));
}

/** Leaves the user out of the numbers of readers, or counts them again. */
export async function saveUncounted({ context, form, user }: ProfileAction) {
  await saveSetting(setUncounted(getEnv(context), user, getText(form, "uncounted") === "true"));
}

/** Shows the messages of a hidden person again. */
export async function showPerson({ context, form, user }: ProfileAction) {
  const person = getText(form, "person");
  if (!isDocumentId(person)) throw new ActionFailure({ reason: "invalid" });
  await getHiddenPeople(context).show(user, person);
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
  return null;
}
