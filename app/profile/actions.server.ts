import {
  data,
  redirect,
  type ActionFunctionArgs,
  type AppLoadContext,
  type TypedResponse,
} from "@remix-run/cloudflare";
import { decodeJwt } from "jose";
import type * as z from "zod";

import { getAccounts } from "#app/accounts/account.server.ts";
import { getEmailCooldown } from "#app/accounts/email-links/cooldown.server.ts";
import { describeRefusal } from "#app/accounts/form-error.server.ts";
import { getSignInLimits } from "#app/accounts/rate-limits.server.ts";
import { ProviderError, toProviderError } from "#app/firebase/auth-error.server.ts";
import { getIdentityToolkit, type Tokens } from "#app/firebase/identity-toolkit.server.ts";
import { getText } from "#app/http/form-text.ts";
import { namesOf, parseForm, readForm, type Form } from "#app/http/form.server.ts";
import { joinHeaders } from "#app/http/headers.ts";
import { requireRecentSignIn } from "#app/session/recent-sign-in.server.ts";
import { getSessionRegistry } from "#app/session/registry.server.ts";
import { isSessionId } from "#app/session/session-record-schema.ts";
import { getSessionCookie, isSessionOver } from "#app/session/session.server.ts";
import { getSessionChecks, getVerifiedSession } from "#app/session/user.server.ts";
import type { User } from "#app/session/user.ts";
import { getWriteLimit } from "#app/session/write-limit.server.ts";
import { keepNotice, sayEnd } from "#app/site/flash/flash.server.ts";
import type { Notice } from "#app/site/flash/flash.ts";
import { getUserData } from "./deletion.server.ts";
import {
  changePasswordSchema,
  deleteAccountSchema,
  profileSchema,
  signOutEverywhereSchema,
  type MessagesFate,
  type UnsavedProfile,
} from "./profile-schema.ts";
import {
  findProfileForm,
  NOTICE_SECTIONS,
  toAnswerId,
  type ProfileFormName,
  type ProfileRefusal,
} from "./profile-view.ts";
import { getUnsavedProfile } from "./unsaved-profile.server.ts";

/** What the forms of the profile send. */
const FIELDS = [
  "intent",
  "uid",
  "session",
  ...namesOf(profileSchema),
  ...namesOf(changePasswordSchema),
  ...namesOf(signOutEverywhereSchema),
  ...namesOf(deleteAccountSchema),
] as const;
type ProfileForm = Form<(typeof FIELDS)[number]>;

/** Somebody at their profile, with what they have sent. */
interface Change {
  request: Request;
  form: ProfileForm;
  services: Services;
  account: User;
  idToken: string;
  /** On the person's list; `null` for one that is not. */
  sessionId: string | null;
}

const ACTIONS: Record<ProfileFormName, (change: Change) => Promise<TypedResponse<never>>> = {
  "save-profile": saveProfile,
  "send-confirmation": sendConfirmation,
  "change-password": changePassword,
  "send-password-link": sendPasswordLink,
  "unlink-google": unlinkGoogle,
  "sign-out-everywhere": signOutEverywhere,
  "end-session": endSession,
  "delete-account": deleteAccount,
};

/** A form was refused: thrown wherever that is found, answered in one place. */
class Refused extends Error {
  readonly status: number;
  readonly reply: Omit<ProfileRefusal, "form">;

  constructor(status: number, reply: Omit<ProfileRefusal, "form">) {
    super("The form was refused");
    this.status = status;
    this.reply = reply;
  }
}

/** Does what a form of the profile asks for, as whoever sends it. */
export async function changeProfile({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request, FIELDS);
  const { user, headers, hasEnded } = await getVerifiedSession({ request, context });
  const name = findProfileForm(form.get("intent"));
  const services = getServices(context);
  if (!user) {
    const isTyped = name === "save-profile";
    const kept = isTyped ? await services.unsavedProfile.keep(request, readUnsaved(form)) : {};
    const why = sayEnd(request, hasEnded || isTyped);
    return redirect("/login", { headers: joinHeaders(headers, kept, why), status: 303 });
  }

  if (!name) throw data({ message: "The form is incomplete. Reload the page." }, 400);
  try {
    const { idToken, sessionId } = user;
    if (!idToken) throw UNREACHABLE;
    return await ACTIONS[name]({ request, form, services, account: user, idToken, sessionId });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const typed = { ...readTyped(form), ...error.reply.typed };
    const reply: ProfileRefusal = { form: name, ...error.reply, typed };
    return data(reply, { status: error.status, headers });
  }
}

const UNREACHABLE = new Refused(503, {
  banner: {
    message: "We can't reach the sign-in service.",
    hint: "Nothing was changed; try again.",
  },
});

const SOMEBODY_ELSE = new Refused(409, {
  banner: {
    message: "Someone else is signed in here now.",
    hint: "Nothing was changed. Sign in again to save what you typed.",
  },
});

const TOO_MANY_CHANGES = new Refused(429, {
  banner: {
    message: "Not saved.",
    hint: "You've changed your profile too many times. Try again in a minute.",
  },
});

async function saveProfile({ request, form, services, account, idToken }: Change) {
  const { uid } = readUnsaved(form);
  // Somebody else may have signed in beside a page that was left open.
  if (uid && uid !== account.uid) throw SOMEBODY_ELSE;
  const profile = parse(form, profileSchema);
  if (!(await services.writeLimit.admit(account.uid, "profile"))) throw TOO_MANY_CHANGES;
  await tell("sign-in", () => services.accounts.setProfile(idToken, profile));
  // Without it the name would come with the next refresh, within the hour.
  const cookie = await services.session.update(request).catch(ignoreRefusal);
  const headers = joinHeaders(cookie, services.unsavedProfile.forget(request));
  return done(request, "/profile?tab=name", "profile-saved", headers);
}

async function sendConfirmation({ request, services, account, idToken }: Change) {
  await requirePause(services, request, account.email);
  await tell("sign-in", async () => {
    await services.attempts.admit(request, "reset", account.email);
    await services.accounts.sendConfirmation(idToken);
  });
  const cookie = await services.mailPause.begin(request, account.email);
  return done(request, "/profile", "confirmation-sent", cookie);
}

async function changePassword(change: Change) {
  const { form, services } = change;
  const { currentPassword, newPassword } = parse(form, changePasswordSchema);
  const { idToken } = await signInAgain(change, currentPassword);
  const tokens = await tell("sign-up", () => services.accounts.setPassword(idToken, newPassword));
  return done(
    change.request,
    "/profile?tab=security",
    "password-changed",
    await stayAlone(change, tokens),
  );
}

/** For who came by Google and has no password to change. */
async function sendPasswordLink({ request, services, account }: Change) {
  await requirePause(services, request, account.email);
  await tell("sign-in", async () => {
    await services.attempts.admit(request, "reset", account.email);
    await services.accounts.sendOwnReset(account.email);
  });
  const cookie = await services.mailPause.begin(request, account.email);
  return done(request, "/profile?tab=security", "password-link-sent", cookie);
}

/** Takes Google away from the ways in, but never the last one. */
async function unlinkGoogle({ request, services, idToken }: Change) {
  const { hasPassword } = await tell("sign-in", () => services.accounts.get(idToken));
  if (!hasPassword) {
    const message = "Google is your only way to sign in.";
    throw new Refused(400, { banner: { message, hint: "Choose a password first." } });
  }
  await tell("sign-in", () => services.accounts.unlinkGoogle(idToken));
  return done(request, "/profile?tab=security", "google-unlinked", {});
}

/**
 * Ends all sessions but this one by setting the password that the person has once more. A change of password is what
 * ends sessions at Firebase, and the one such thing that people can do themselves: the Admin SDK's way, `validSince`,
 * takes a service account, and ours is for custom tokens only.
 *
 * @see https://firebase.google.com/docs/auth/admin/manage-sessions
 */
async function signOutEverywhere(change: Change) {
  const { form, services } = change;
  const { currentPassword } = parse(form, signOutEverywhereSchema);
  const { idToken } = await signInAgain(change, currentPassword);
  const tokens = await tell("sign-up", () =>
    services.accounts.setPassword(idToken, currentPassword),
  );
  return done(
    change.request,
    "/profile?tab=security",
    "signed-out-elsewhere",
    await stayAlone(change, tokens),
  );
}

/** Returns the headers of the one session that goes on when the provider has ended all. The list follows if it can. */
async function stayAlone({ request, services, account, sessionId }: Change, tokens: Tokens) {
  const { session, sessionList } = services;
  const id = sessionId ?? undefined;
  await sessionList.removeOthers({ uid: account.uid, idToken: tokens.idToken }, id);
  return session.start(request, tokens, id);
}

/** Takes one other session off the person's list, which is what ends it. */
async function endSession({ request, form, services, account, idToken, sessionId }: Change) {
  const id = getText(form, "session");
  if (!isSessionId(id) || id === sessionId) {
    throw data({ message: "The form is incomplete. Reload the page." }, 400);
  }
  const isRemoved = await services.sessionList.remove({ uid: account.uid, idToken }, id);
  if (!isRemoved) throw NOT_ENDED;
  services.sessionChecks.end({ uid: account.uid, sessionId: id });
  return done(request, "/profile?tab=security", "session-removed", {});
}

const NOT_ENDED = new Refused(503, {
  banner: {
    message: "That browser is still signed in.",
    hint: "We can't reach the list of sessions. Nothing was changed; try again.",
  },
});

const SIGN_IN_PRECISION_MS = 1000;

/** Data first, for nobody could delete them without the account; what fails can be begun again. */
async function deleteAccount(change: Change) {
  const { request, form, services, account } = change;
  const { email, currentPassword, messages, after } = parse(form, deleteAccountSchema);
  if (email.trim().toLowerCase() !== account.email.toLowerCase()) {
    throw new Refused(400, { faults: { email: ["This isn't your account's e-mail"] } });
  }
  let { idToken } = await requireRecentToken(change, currentPassword);
  let deletion = await deleteData(change, idToken, messages, after);
  if (deletion.status === "sign-in-first" && currentPassword) {
    // Sign-ins are dated by the second, so one in the second of the last message is not known to be later.
    await new Promise((resolve) => void setTimeout(resolve, SIGN_IN_PRECISION_MS));
    ({ idToken } = await requireRecentToken(change, currentPassword));
    deletion = await deleteData(change, idToken, messages, after);
  }
  if (deletion.status === "sign-in-first") throw refuseOldSignIn();
  if (deletion.status === "unfinished") {
    throw new Refused(503, {
      typed: { after: deletion.after ?? "" },
      banner: {
        message: "There's too much to delete at once.",
        hint: "Part of it is deleted, and your account is still there. Press the button again to continue.",
      },
    });
  }
  try {
    await services.accounts.remove(idToken);
  } catch (error) {
    // Gone is gone, whoever did it.
    if (!isSessionOver(error)) {
      const { status, banner } = describeRefusal("sign-in", error);
      const hint = "Your data is deleted, but your account isn't. Try again.";
      throw new Refused(status, { banner: { ...banner, hint } });
    }
  }
  return done(request, "/home", "account-deleted", services.session.end(request));
}

/** Deletes what is the person's besides the account. */
async function deleteData(
  { services, account }: Change,
  idToken: string,
  messages: MessagesFate,
  after: string | undefined,
) {
  try {
    return await services.userData.deletePermanently(
      { uid: account.uid, idToken },
      messages,
      after,
    );
  } catch (error) {
    // oxlint-disable-next-line no-console -- for whoever runs the server: no page shows what the database said
    console.error("Could not delete a user's data.", error);
    throw new Refused(503, {
      banner: {
        message: "We couldn't delete everything.",
        hint: "Your account is still there. Try again to delete the rest.",
      },
    });
  }
}

function refuseOldSignIn(): Refused {
  const tooOld = toProviderError("CREDENTIAL_TOO_OLD_LOGIN_AGAIN");
  const { status, banner } = describeRefusal("sign-in", tooOld);
  const hint =
    "You posted or published something since you signed in. Sign in again, then try again.";
  return new Refused(status, { banner: { ...banner, hint } });
}

/** Returns a token of a recent sign-in: by the password, or of the session where the account has none. */
async function requireRecentToken(change: Change, password: string | undefined) {
  const { services, idToken } = change;
  const { hasPassword } = await tell("sign-in", () => services.accounts.get(idToken));
  if (hasPassword) {
    if (!password)
      throw new Refused(400, { faults: { currentPassword: ["Password is required"] } });
    return signInAgain(change, password);
  }
  const hint = "Sign in with Google again, then come back here within five minutes.";
  await tell("sign-in", async () => requireRecentSignIn(idToken, Date.now), hint);
  return { idToken };
}

/**
 * Signs the person in by their password, counted as any attempt is. Their address may be another account's by now,
 * which is none of theirs to change.
 */
function signInAgain({ request, services, account }: Change, password: string) {
  return tell("sign-in", async () => {
    await services.attempts.admit(request, "sign-in", account.email);
    const tokens = await services.identity.signIn(account.email, password);
    if (decodeJwt(tokens.idToken).sub === account.uid) return tokens;
    throw new ProviderError("user-mismatch", undefined);
  });
}

async function requirePause({ mailPause }: Services, request: Request, email: string) {
  const seconds = await mailPause.secondsLeft(request, email);
  if (seconds === 0) return;
  throw new Refused(429, {
    banner: {
      message: "We already sent you a link.",
      hint: `You can ask for another in ${seconds === 1 ? "a second" : `${seconds} seconds`}.`,
    },
  });
}

/** Does something at the provider. What it refuses is refused in its words, or the screen's. */
async function tell<T>(
  screen: "sign-in" | "sign-up",
  act: () => Promise<T>,
  hint?: string,
): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const { status, banner } = describeRefusal(screen, error);
    throw new Refused(status, { banner: hint === undefined ? banner : { ...banner, hint } });
  }
}

function parse<Schema extends z.ZodObject>(form: ProfileForm, schema: Schema): z.infer<Schema> {
  const submission = parseForm(form, schema);
  if (submission.status === "success") return submission.value;
  const faults = Object.entries(submission.error ?? {}).map(([name, found]) => [
    name,
    found ?? undefined,
  ]);
  throw new Refused(400, { faults: Object.fromEntries(faults) });
}

function readTyped(form: ProfileForm): Record<string, string> {
  const names = ["displayName", "photoURL", "email", "messages", "after"] as const;
  return Object.fromEntries(names.map((name) => [name, getText(form, name)]));
}

function readUnsaved(form: ProfileForm): UnsavedProfile {
  const [uid, displayName, photoURL] = [
    getText(form, "uid"),
    getText(form, "displayName"),
    getText(form, "photoURL"),
  ];
  return { uid, displayName, photoURL };
}

function ignoreRefusal(error: unknown) {
  if (!(error instanceof ProviderError)) throw error;
  return {};
}

/** Leads to the page that says what has been done: in its section, to which a page without scripts is scrolled. */
function done(request: Request, path: string, notice: Notice, cookie: HeadersInit) {
  const section = NOTICE_SECTIONS[notice];
  const to = section ? `${path}#${toAnswerId(section)}` : path;
  return redirect(to, { headers: joinHeaders(cookie, keepNotice(request, notice)), status: 303 });
}

type Services = ReturnType<typeof getServices>;

function getServices(context: AppLoadContext) {
  return {
    accounts: getAccounts(context),
    attempts: getSignInLimits(context),
    identity: getIdentityToolkit(context),
    mailPause: getEmailCooldown(context),
    userData: getUserData(context),
    session: getSessionCookie(context),
    sessionChecks: getSessionChecks(context),
    sessionList: getSessionRegistry(context),
    unsavedProfile: getUnsavedProfile(context),
    writeLimit: getWriteLimit(context),
  };
}
