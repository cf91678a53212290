import type { AppLoadContext } from "@remix-run/cloudflare";
import { decodeJwt } from "jose";
import type * as z from "zod";

import { getAccounts } from "#app/accounts/account.server.ts";
import { getEmailCooldown, getSignInLimits } from "#app/accounts/rate-limits.server.ts";
import { toFormError } from "#app/accounts/form-error.server.ts";
import { getHiddenPeople } from "#app/chat/hidden.server.ts";
import { getPublicName } from "#app/chat/message.ts";
import { saveUnseen as saveUnseenMode } from "#app/chat/unseen.server.ts";
import { getEnv } from "#app/env.server.ts";
import { AuthError } from "#app/firebase/auth-error.server.ts";
import { DatabaseError } from "#app/firebase/database.server.ts";
import { isDocumentId } from "#app/firebase/document-id.ts";
import { FirestoreError } from "#app/firebase/firestore-error.server.ts";
import { getIdentityToolkit, type Tokens } from "#app/firebase/identity-toolkit.server.ts";
import { getFieldNames, parseForm, type Form } from "#app/http/form.server.ts";
import { getText } from "#app/http/form.ts";
import { joinHeaders } from "#app/http/headers.ts";
import { logError } from "#app/http/log-error.server.ts";
import { toPicturePath } from "#app/http/picture-path.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { storePicture } from "#app/pictures/pictures.server.ts";
import { getSessionRegistry } from "#app/session/registry.server.ts";
import { ActionFailure } from "#app/session/run-action.server.ts";
import { isSessionId } from "#app/session/session-record-schema.ts";
import { getSessionCookie } from "#app/session/session.server.ts";
import { getSessionChecks } from "#app/session/user.server.ts";
import type { AuthUser } from "#app/session/user.ts";
import type { Flash } from "#app/site/flash/flash.ts";
import { setUncounted } from "#app/stories/readers/readers.server.ts";
import { getWriters } from "#app/stories/writers/writers.server.ts";
import {
  aboutSchema,
  changePasswordSchema,
  deleteAccountSchema,
  MODERATION_FIELDS,
  profileSchema,
  signOutEverywhereSchema,
} from "./profile-schema.ts";
import { getUnsavedProfile } from "./unsaved-profile.server.ts";

/** The fields of all forms on the profile. */
export const PROFILE_FIELDS = [
  "intent",
  "uid",
  "session",
  "person",
  "unseen",
  "uncounted",
  ...MODERATION_FIELDS,
  ...getFieldNames(profileSchema),
  ...getFieldNames(aboutSchema),
  ...getFieldNames(changePasswordSchema),
  ...getFieldNames(signOutEverywhereSchema),
  ...getFieldNames(deleteAccountSchema),
] as const;

export type ProfileForm = Form<(typeof PROFILE_FIELDS)[number]>;

/** A submitted form, and the user who submitted it. */
export interface ProfileAction {
  request: Request;
  context: AppLoadContext;
  form: ProfileForm;
  /** The chosen picture, if any. */
  photo: Blob | undefined;
  user: AuthUser & { idToken: string };
}

/** What a handler has done. */
export interface ProfileActionDone {
  headers?: HeadersInit;
  /** The page to show. @default the form's tab */
  path?: string;
  /** What that page says. @default the first of the form's flashes */
  flash?: Flash;
}

/** Handles one form. Throws an `ActionFailure` when it is not done. */
export type ProfileActionHandler = (action: ProfileAction) => Promise<ProfileActionDone | void>;

/** Returns the form's values. @throws {ActionFailure} with an error for each invalid field */
export function parseProfileForm<Schema extends z.ZodObject>(
  form: ProfileForm,
  schema: Schema,
): z.infer<Schema> {
  const submission = parseForm(form, schema);
  if (submission.status === "success") return submission.value;
  const errors = Object.entries(submission.error ?? {});
  const fieldErrors = Object.fromEntries(errors.map(([name, texts]) => [name, texts ?? []]));
  throw new ActionFailure({ reason: "invalid", fieldErrors });
}

/**
 * Calls the provider.
 *
 * @param screen whose error messages are used
 * @param options.hint replaces the error's own
 * @param options.fields the fields at which errors are shown, by provider code; other errors are shown above the form
 * @throws {ActionFailure} for an `AuthError`
 */
export async function callAuth<T>(
  screen: "sign-in" | "sign-up",
  call: () => Promise<T>,
  { hint, fields }: { hint?: string; fields?: ReadonlyMap<string, string> } = {},
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const { reason, banner } = toFormError(screen, error);
    const field = error instanceof AuthError ? fields?.get(error.code) : undefined;
    throw new ActionFailure({
      reason,
      ...banner,
      ...(hint !== undefined && { hint }),
      ...(field !== undefined && { fieldErrors: { [field]: [banner.message] } }),
    });
  }
}

/** The provider's errors for a wrong password. The e-mail address is the user's own. */
const CURRENT_PASSWORD_ERRORS = new Map([
  ["wrong-password", "currentPassword"],
  ["invalid-credential", "currentPassword"],
]);

/**
 * Signs the user in again with their password. It counts towards the limit of sign-ins.
 *
 * @throws {ActionFailure} for an error of the provider, and when the e-mail address now belongs to another account
 */
export function reauthenticate({ request, context, user }: ProfileAction, password: string) {
  const call = async () => {
    await getSignInLimits(context).consume(request, "sign-in", user.email);
    const tokens = await getIdentityToolkit(context).signIn(user.email, password);
    if (decodeJwt(tokens.idToken).sub === user.uid) return tokens;
    throw new AuthError("user-mismatch", undefined);
  };
  return callAuth("sign-in", call, { fields: CURRENT_PASSWORD_ERRORS });
}

/**
 * Continues this session with the tokens of a new password, which has ended all other sessions. Deletes those from the
 * registry if it can be reached. Returns the headers.
 */
async function continueSession({ request, context, user }: ProfileAction, tokens: Tokens) {
  const { uid, sessionId } = user;
  await getSessionRegistry(context).deleteOthers({ uid, idToken: tokens.idToken }, sessionId);
  return getSessionCookie(context).createSession(request, tokens, sessionId);
}

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
