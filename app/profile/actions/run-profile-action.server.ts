import { data, redirect, type ActionFunctionArgs } from "@remix-run/cloudflare";

import { getText } from "#app/http/form-text.ts";
import { readForm } from "#app/http/form.server.ts";
import { joinHeaders } from "#app/http/headers.ts";
import type { UnsavedAbout, UnsavedProfile } from "#app/profile/profile-schema.ts";
import {
  findProfileForm,
  type ProfileActionResult,
  type ProfileFormName,
} from "#app/profile/profile-view.ts";
import { getUnsavedProfile } from "#app/profile/unsaved-profile.server.ts";
import { isFromUser } from "#app/session/same-user.ts";
import { getUser } from "#app/session/user.server.ts";
import { setSessionEndedFlash } from "#app/site/flash/flash.server.ts";
import { deleteAccount } from "./delete-account.server.ts";
import {
  PROFILE_FIELDS,
  ProfileFormError,
  type ProfileActionHandler,
  type ProfileForm,
} from "./profile-action.server.ts";
import {
  saveAbout,
  saveProfile,
  saveUncounted,
  saveUnseen,
  showPerson,
} from "./settings-actions.server.ts";
import {
  changePassword,
  endSession,
  sendConfirmation,
  sendPasswordLink,
  signOutEverywhere,
  unlinkGoogle,
} from "./sign-in-actions.server.ts";

const HANDLERS: Record<ProfileFormName, ProfileActionHandler> = {
  "save-profile": saveProfile,
  "save-about": saveAbout,
  "send-confirmation": sendConfirmation,
  "change-password": changePassword,
  "send-password-link": sendPasswordLink,
  "unlink-google": unlinkGoogle,
  "sign-out-everywhere": signOutEverywhere,
  "end-session": endSession,
  "save-unseen": saveUnseen,
  "save-uncounted": saveUncounted,
  "show-person": showPerson,
  "delete-account": deleteAccount,
};

/**
 * Runs the handler of the form's intent as the signed-in user. If the user is signed out, redirects to /login and keeps
 * what was typed.
 */
export async function runProfileAction({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request, PROFILE_FIELDS);
  const { user, headers, hasEnded } = await getUser({ request, context });
  const intent = findProfileForm(form.get("intent"));
  if (!user) {
    const unsaved = readUnsaved(form);
    const cookie = unsaved ? await getUnsavedProfile(context).set(request, unsaved) : {};
    const flash = setSessionEndedFlash(request, hasEnded || unsaved !== null);
    return redirect("/login", { headers: joinHeaders(headers, cookie, flash), status: 303 });
  }

  if (!intent)
    throw data({ message: "The form is incomplete. Reload the page and try again." }, 400);
  try {
    // Another tab may have signed in as a different user.
    if (!isFromUser(form, user)) throw createOtherUserError();
    const { idToken } = user;
    if (!idToken) throw createUnavailableError();
    return await HANDLERS[intent]({ request, context, form, user: { ...user, idToken } });
  } catch (error) {
    if (!(error instanceof ProfileFormError)) throw error;
    const values = { ...readValues(form), ...error.result.values };
    const result: ProfileActionResult = { form: intent, ...error.result, values };
    return data(result, { status: error.status, headers });
  }
}

function createOtherUserError(): ProfileFormError {
  return new ProfileFormError(409, {
    banner: {
      message: "Someone else is signed in here now.",
      hint: "Nothing was changed. Sign in again, then try again.",
    },
  });
}

function createUnavailableError(): ProfileFormError {
  return new ProfileFormError(503, {
    banner: {
      message: "We can't reach the sign-in service.",
      hint: "Nothing was changed; try again.",
    },
  });
}

/** Returns what was typed, without the passwords. */
function readValues(form: ProfileForm): Record<string, string> {
  const names = ["displayName", "photoURL", "about", "email", "messages", "after"] as const;
  return Object.fromEntries(names.map((name) => [name, getText(form, name)]));
}

/** Returns what was typed in the forms whose text is worth keeping, or `null`. */
function readUnsaved(form: ProfileForm): UnsavedProfile | UnsavedAbout | null {
  const uid = getText(form, "uid");
  const intent = form.get("intent");
  if (intent === "save-about") return { uid, about: getText(form, "about") };
  if (intent !== "save-profile") return null;
  return { uid, displayName: getText(form, "displayName"), photoURL: getText(form, "photoURL") };
}
