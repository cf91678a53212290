import { data, redirect, type ActionFunctionArgs } from "@remix-run/cloudflare";

import { getText } from "#app/http/form.ts";
import { MAX_FORM_BYTES, readFileForm } from "#app/http/form.server.ts";
import { joinHeaders } from "#app/http/headers.ts";
import { MAX_PICTURE_BYTES, PICTURE_TOO_LARGE } from "#app/pictures/pictures.server.ts";
import { isImport } from "#app/profile/data/data-path.ts";
import { importData } from "#app/profile/data/import.server.ts";
import type { UnsavedAbout, UnsavedProfile } from "#app/profile/profile-schema.ts";
import {
  findProfileForm,
  type ProfileActionResult,
  type ProfileFormName,
} from "#app/profile/profile-view.ts";
import { getUnsavedProfile } from "#app/profile/unsaved-profile.server.ts";
import { ActionFailure, runAction, type ActionWords } from "#app/session/run-action.server.ts";
import type { LimitName } from "#app/session/rate-limit.server.ts";
import type { UserSession } from "#app/session/session.server.ts";
import { getUser } from "#app/session/user.server.ts";
import { setSessionEndedFlash } from "#app/site/flash/flash.server.ts";
import { deleteAccount } from "./delete-account.server.ts";
import { moderate } from "./moderate.server.ts";
import {
  PROFILE_FIELDS,
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

const HANDLERS: Record<Exclude<ProfileFormName, "import-data">, ProfileActionHandler> = {
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
  moderate,
  "delete-account": deleteAccount,
};

const INCOMPLETE = "The form is incomplete. Reload the page and try again.";

/**
 * Runs the handler of the form's intent as the signed-in user. If the user is signed out, redirects to /login and keeps
 * what was typed.
 */
export async function runProfileAction(args: ActionFunctionArgs) {
  const { request, context } = args;
  if (isImport(request)) return importData(args);
  const session = getUser(args);
  const posted = await readProfileForm(request, await session);
  if (!posted) return data<ProfileActionResult>(TOO_LARGE, { status: 413 });
  const { form, files } = posted;
  const intent = findProfileForm(form.get("intent"));
  const options = { uid: form.get("uid"), session, ...(intent && getOptions(intent)) };
  const run = await runAction(args, options, async (user) => {
    // Imports have another address.
    if (!intent || intent === "import-data") throw data({ message: INCOMPLETE }, 400);
    const { idToken } = user;
    if (!idToken) throw new ActionFailure(SIGN_IN_UNAVAILABLE);
    return HANDLERS[intent]({
      request,
      context,
      form,
      photo: files.photo,
      user: { ...user, idToken },
    });
  });
  if (!run.user) {
    const unsaved = readUnsaved(form);
    const cookie = unsaved ? await getUnsavedProfile(context).set(request, unsaved) : {};
    const flash = setSessionEndedFlash(request, run.hasEnded || unsaved !== null);
    return redirect("/login", { headers: joinHeaders(run.headers, cookie, flash), status: 303 });
  }
  if (!run.error) return run.value;
  const { message, hint, fieldErrors } = run.error;
  const result: ProfileActionResult = {
    form: intent,
    ...(fieldErrors ? { fieldErrors } : { banner: { message, hint } }),
    values: readValues(form),
  };
  return data(result, { status: run.status, headers: run.headers });
}

/**
 * Reads a form, which may have a picture; `null` if it is too large. A visitor's picture is not read, but that of a user
 * whose session has just ended is, because text that is worth keeping comes with it.
 */
function readProfileForm(request: Request, { user, hasEnded }: UserSession) {
  const maxBytes = user || hasEnded ? 2 * MAX_PICTURE_BYTES : MAX_FORM_BYTES;
  return readFileForm(request, PROFILE_FIELDS, ["photo"], maxBytes);
}

const TOO_LARGE = { form: "save-profile", banner: PICTURE_TOO_LARGE } as const;

const SIGN_IN_UNAVAILABLE = {
  reason: "unavailable",
  message: "We can't reach the sign-in service.",
  hint: "Nothing was changed; try again.",
} as const;

/** What was not done by an action that saves nothing. */
const NOT_DONE: Partial<Record<ProfileFormName, string>> = {
  "show-person": "They're still hidden.",
  moderate: "Not done.",
};

/** What counts towards the limit of profile changes. */
const LIMITED = new Set<ProfileFormName>(["save-profile", "save-about"]);

function getOptions(intent: ProfileFormName): { limit?: LimitName; words: ActionWords } {
  const message = NOT_DONE[intent] ?? "Not saved.";
  const unavailable = {
    message,
    hint: "We can't reach our database. Nothing was changed; try again.",
  };
  return {
    ...(LIMITED.has(intent) && { limit: "profile" }),
    words: {
      "other-user": {
        message: "Someone else is signed in here now.",
        hint: "Nothing was changed. Sign in again, then try again.",
      },
      denied: unavailable,
      unavailable,
      "too-fast": {
        message,
        hint:
          intent === "moderate"
            ? "You can do 30 things a minute. Try again in a minute."
            : "You've changed your profile too many times. Try again in a minute.",
      },
    },
  };
}

/** Returns what was typed, without the passwords. */
function readValues(form: ProfileForm): Record<string, string> {
  const names = [
    "displayName",
    "photoURL",
    "about",
    "email",
    "messages",
    "after",
    "duration",
    "reason",
    "alsoDelete",
    "picture",
  ] as const;
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
