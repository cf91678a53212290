import { data, redirect, type ActionFunctionArgs } from "@remix-run/cloudflare";

import { MAX_FORM_BYTES, readFileForm } from "#app/http/form.server.ts";
import { getText } from "#app/http/form.ts";
import { joinHeaders } from "#app/http/headers.ts";
import { MAX_PICTURE_BYTES, PICTURE_TOO_LARGE } from "#app/pictures/pictures.server.ts";
import type { LimitName } from "#app/session/rate-limit.server.ts";
import { ActionFailure, runAction, type ActionWords } from "#app/session/run-action.server.ts";
import type { UserSession } from "#app/session/session.server.ts";
import { getUser } from "#app/session/user.server.ts";
import { setFlash, setSessionEndedFlash } from "#app/site/flash/flash.server.ts";
import type { Flash } from "#app/site/flash/flash.ts";
import { deleteAccount } from "./deletion.server.ts";
import { moderate, MODERATION_FLASHES } from "./reports/reports.server.ts";
import { isImport } from "./data/data-path.ts";
import { importData } from "./data/import.server.ts";
import {
  changePassword,
  endSession,
  PROFILE_FIELDS,
  saveAbout,
  saveProfile,
  saveUncounted,
  saveUnseen,
  sendConfirmation,
  sendPasswordLink,
  showPerson,
  signOutEverywhere,
  unlinkGoogle,
  type ProfileActionDone,
  type ProfileActionHandler,
  type ProfileForm,
} from "./profile-actions.server.ts";
import type { UnsavedAbout, UnsavedProfile } from "./profile-schema.ts";
import {
  findProfileForm,
  PROFILE_FORMS,
  toFlashId,
  toSection,
  toTabPath,
  type ProfileActionResult,
  type ProfileFormName,
  type ProfileSection,
  type ProfileTab,
  type ProfileView,
  type SecurityView,
} from "./profile-view.ts";
import { getUnsavedProfile } from "./unsaved-profile.server.ts";

/** What a form of the profile does. */
interface ProfileFormEntry {
  handler: ProfileActionHandler;
  /** The tab with the form; `null` if it is above the tabs. */
  tab: ProfileTab | null;
  /** What its section says after a submit: the first, unless the handler returns another. */
  flashes: readonly Flash[];
  /** Whether the section is shown to a user with these details. @default always */
  isShown?: (security: SecurityView) => boolean;
  limit?: LimitName;
  /** The error if the user does it too often. @default that of a profile that was changed too many times */
  tooFast?: string;
  /** The error if nothing was done. @default "Not saved." */
  notDone?: string;
}

const FORMS: Record<ProfileFormName, ProfileFormEntry> = {
  "save-profile": {
    handler: saveProfile,
    tab: "name",
    flashes: ["profile-saved"],
    limit: "profile",
  },
  "save-about": { handler: saveAbout, tab: "name", flashes: ["about-saved"], limit: "profile" },
  "send-confirmation": {
    handler: sendConfirmation,
    tab: null,
    flashes: ["confirmation-sent"],
    isShown: ({ isEmailConfirmed }) => !isEmailConfirmed,
  },
  "change-password": {
    handler: changePassword,
    tab: "security",
    flashes: ["password-changed"],
    isShown: ({ hasPassword }) => hasPassword,
  },
  "send-password-link": {
    handler: sendPasswordLink,
    tab: "security",
    flashes: ["password-link-sent"],
    isShown: ({ hasPassword }) => !hasPassword,
  },
  "unlink-google": {
    handler: unlinkGoogle,
    tab: "security",
    flashes: ["google-unlinked", "google-linked"],
    isShown: ({ googleEmail, isGoogleOffered }) => googleEmail !== null || isGoogleOffered,
  },
  "sign-out-everywhere": {
    handler: signOutEverywhere,
    tab: "security",
    flashes: ["signed-out-elsewhere"],
    isShown: ({ hasPassword }) => hasPassword,
  },
  "end-session": {
    handler: endSession,
    tab: "security",
    flashes: ["session-removed"],
    isShown: ({ sessions }) => sessions !== null,
  },
  "save-unseen": { handler: saveUnseen, tab: "data", flashes: ["unseen-saved"] },
  "save-uncounted": { handler: saveUncounted, tab: "data", flashes: ["uncounted-saved"] },
  // Imports are posted to another address.
  "import-data": { handler: rejectForm, tab: "data", flashes: [] },
  "show-person": {
    handler: showPerson,
    tab: "hidden",
    flashes: ["person-shown"],
    notDone: "They're still hidden.",
  },
  moderate: {
    handler: moderate,
    tab: "reports",
    flashes: Object.values(MODERATION_FLASHES),
    tooFast: "You can do 30 things a minute. Try again in a minute.",
    notDone: "Not done.",
  },
  "delete-account": { handler: deleteAccount, tab: "security", flashes: [] },
};

/** Returns the section that shows a flash on this tab; `null` when the page shows it above the card. */
export function findFlashSection(
  flash: Flash | null,
  { tab, security }: Pick<ProfileView, "tab" | "security">,
): ProfileSection | null {
  const form = PROFILE_FORMS.find((name) => flash && FORMS[name].flashes.includes(flash));
  if (!form) return null;
  const { tab: ownTab, isShown } = FORMS[form];
  if (ownTab !== null && ownTab !== tab) return null;
  if (isShown && !(security && isShown(security))) return null;
  return toSection(form);
}

/** Returns the redirect to the page that says what was done. The hash scrolls a page without scripts to the flash. */
function redirectAfter(request: Request, form: ProfileFormName, done: ProfileActionDone) {
  const { tab, flashes } = FORMS[form];
  const { path = tab ? toTabPath(tab) : "/profile", flash = flashes[0], headers = {} } = done;
  const hash = flash && flashes.includes(flash) ? `#${toFlashId(toSection(form))}` : "";
  const cookie = flash ? setFlash(request, flash) : {};
  return redirect(path + hash, { headers: joinHeaders(headers, cookie), status: 303 });
}

async function rejectForm(): Promise<never> {
  throw data({ message: INCOMPLETE }, 400);
}

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
  const options = { uid: form.get("uid"), session, ...(intent && getOptions(FORMS[intent])) };
  const run = await runAction(args, options, async (user) => {
    if (!intent) return rejectForm();
    const { idToken } = user;
    if (!idToken) throw new ActionFailure(SIGN_IN_UNAVAILABLE);
    const action = { request, context, form, photo: files.photo, user: { ...user, idToken } };
    const done = await FORMS[intent].handler(action);
    return redirectAfter(request, intent, done ?? {});
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

function getOptions({
  limit,
  notDone: message = "Not saved.",
  tooFast = "You've changed your profile too many times. Try again in a minute.",
}: ProfileFormEntry): { limit: LimitName | undefined; words: ActionWords } {
  const unavailable = {
    message,
    hint: "We can't reach our database. Nothing was changed; try again.",
  };
  return {
    limit,
    words: {
      "other-user": {
        message: "Someone else is signed in here now.",
        hint: "Nothing was changed. Sign in again, then try again.",
      },
      denied: unavailable,
      unavailable,
      "too-fast": { message, hint: tooFast },
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
