import Bowser from "bowser";

import type { LoaderFunctionArgs } from "@remix-run/cloudflare";

import { getAccounts } from "#app/accounts/account.server.ts";
import { getGoogle } from "#app/accounts/google/google.server.ts";
import { requireUser } from "#app/accounts/require-user.server.ts";
import { loadHiddenPeople } from "#app/chat/hidden.server.ts";
import { loadUnseen } from "#app/chat/unseen.server.ts";
import { AuthError } from "#app/firebase/auth-error.server.ts";
import { catchUnavailable, UnavailableError } from "#app/http/unavailable-error.server.ts";
import { canUpload } from "#app/pictures/picture-bucket.server.ts";
import { getSessionRegistry, type ListedSession } from "#app/session/registry.server.ts";
import { getReturnTo } from "#app/session/return-to.server.ts";
import { isSessionEndedError } from "#app/session/session.server.ts";
import { toUser, type AuthUser } from "#app/session/user.ts";
import { getUser } from "#app/session/user.server.ts";
import { getLocale } from "#app/site/locale/locale.server.ts";
import { getCounts } from "#app/stories/counts/counts.server.ts";
import { deviceHidden, getLibrary, mergeHidden } from "#app/stories/library/library.server.ts";
import type { HiddenItem } from "#app/stories/library/library.ts";
import { loadUncounted } from "#app/stories/readers/readers.server.ts";
import { getWriters } from "#app/stories/writers/writers.server.ts";
import { loadAnswers } from "./answers.server.ts";
import { readFileNumber } from "./data/data-path.ts";
import {
  findProfileTab,
  type ProfileTab,
  type ProfileView,
  type SecurityView,
  type SessionView,
  type TabView,
} from "./profile-view.ts";
import { countReports, loadReports } from "./reports/reports.server.ts";
import { getUnsavedProfile } from "./unsaved-profile.server.ts";

/**
 * Returns the user's profile with what the tab in the URL shows; `ended` when the session has ended.
 *
 * @throws a redirect to /login for a visitor
 */
export async function loadProfile(args: LoaderFunctionArgs): Promise<ProfileView | "ended"> {
  const { request, context } = args;
  const user = await requireUser(args);
  const security = await loadSecurity(args);
  if (security === "ended") return security;
  const { isOperator } = user;
  const tab = findProfileTab(new URL(request.url).searchParams.get("tab"), isOperator);
  const shown = await loadTab(args, user, tab);
  const reports = shown.tab === "reports" ? shown.reports : null;
  return {
    ...shown,
    user: toUser(user),
    canUpload: canUpload(context),
    security,
    isOperator,
    openReports: reports ? reports.total : await countReports(args, user),
    returnTo: getReturnTo(request),
  };
}

async function loadTab(
  args: LoaderFunctionArgs,
  user: AuthUser,
  tab: ProfileTab,
): Promise<TabView> {
  const { request, context } = args;
  switch (tab) {
    case "name": {
      const writer = await catchUnavailable(getWriters(context).find(user.uid));
      return {
        tab,
        about: writer instanceof UnavailableError ? null : (writer?.about ?? ""),
        unsaved: await getUnsavedProfile(context).get(request, user.uid),
      };
    }
    case "answers":
      return { tab, answers: await getOrNull(loadAnswers(args, user)) };
    case "stories":
      return { tab, stories: await getOrNull(getCounts(context).list(user)) };
    case "security":
      return { tab };
    case "data": {
      const { files } = readFileNumber(new URL(request.url).searchParams);
      const [isUnseen, isUncounted] = await Promise.all([
        loadUnseen(context, user),
        loadUncounted(context, user),
      ]);
      return { tab, files, isUnseen, isUncounted };
    }
    case "hidden": {
      const [hidden, hiddenItems] = await Promise.all([
        loadHiddenPeople(context, user),
        loadHiddenItems(args, user),
      ]);
      return { tab, hidden, hiddenItems };
    }
    case "reports":
      return { tab, reports: await getOrNull(loadReports(args, user)) };
  }
}

async function getOrNull<Result>(promise: Promise<Result>): Promise<Result | null> {
  const result = await catchUnavailable(promise);
  return result instanceof UnavailableError ? null : result;
}

/** Returns the stories, tags and writers that the user has hidden; `null` when the account can't be read. */
async function loadHiddenItems(
  { request, context }: LoaderFunctionArgs,
  user: AuthUser,
): Promise<HiddenItem[] | null> {
  const account = await getOrNull(getLibrary(context).listHidden(user));
  return account && mergeHidden(account, deviceHidden.list(request));
}

/**
 * How long the page waits for the provider before it is shown without the security section. What the tab shows is read
 * afterwards, within the 1.5 s that all calls of a page have together.
 */
const TIMEOUT_MS = 1000;

/** Returns the account's details from the provider; `null` when it is unavailable, `ended` when the session has ended. */
async function loadSecurity({
  request,
  context,
}: LoaderFunctionArgs): Promise<SecurityView | "ended" | null> {
  const { user } = await getUser({ request, context });
  const accounts = getAccounts(context);
  const google = getGoogle(context);
  const sessionRegistry = getSessionRegistry(context);
  if (!user?.idToken) return null;
  const { uid, idToken, sessionId } = user;
  // Only the Security tab shows the sessions.
  const isShown = new URL(request.url).searchParams.get("tab") === "security";
  try {
    const [{ createdAt, signedInAt, ...details }, sessions] = await Promise.all([
      accounts.getDetails(idToken, TIMEOUT_MS),
      isShown ? sessionRegistry.list({ uid, idToken }) : null,
    ]);
    const { language, timeZone } = getLocale(request, context);
    const format = new Intl.DateTimeFormat(language, {
      dateStyle: "long",
      timeStyle: "short",
      timeZone,
    });
    return {
      ...details,
      isGoogleOffered: google.origin !== null,
      createdAt: format.format(createdAt),
      signedInAt: signedInAt === null ? null : format.format(signedInAt),
      sessions: sessions && toViews(sessions, sessionId, format),
    };
  } catch (error) {
    if (isSessionEndedError(error)) return "ended";
    if (error instanceof AuthError) return null;
    throw error;
  }
}

function toViews(
  sessions: ListedSession[],
  currentId: string | null,
  format: Intl.DateTimeFormat,
): SessionView[] {
  const views = sessions.map(({ id, device, signedInAt, seenAt }) => ({
    id,
    device: describeBrowser(device),
    isCurrent: id === currentId,
    signedInAt: format.format(signedInAt),
    seenAt: format.format(seenAt),
  }));
  return views.toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent));
}

/** Returns a readable name for a `User-Agent`, such as "Firefox on Windows". */
function describeBrowser(userAgent: string): string {
  if (userAgent === "") return UNKNOWN;
  const { browser, os, platform } = Bowser.parse(userAgent);
  const machine =
    platform.model === "iPhone" || platform.model === "iPad" ? platform.model : os.name;
  if (!browser.name) return machine ? `Browser on ${machine}` : UNKNOWN;
  return machine ? `${browser.name} on ${machine}` : browser.name;
}

const UNKNOWN = "Unknown browser";
