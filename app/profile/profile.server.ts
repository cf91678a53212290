import type { LoaderFunctionArgs } from "@remix-run/cloudflare";

import { requireUser } from "#app/accounts/require-user.server.ts";
import { loadHiddenPeople } from "#app/chat/hidden.server.ts";
import { loadUnseen } from "#app/chat/unseen.server.ts";
import { catchUnavailable } from "#app/http/catch-unavailable.server.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { canUpload } from "#app/pictures/picture-bucket.server.ts";
import { getReturnTo } from "#app/session/return-to.server.ts";
import { toUser, type AuthUser } from "#app/session/user.ts";
import { getCounts } from "#app/stories/counts/counts.server.ts";
import { getDeviceHidden, getLibrary, mergeHidden } from "#app/stories/library/library.server.ts";
import type { HiddenItem } from "#app/stories/library/library.ts";
import { loadUncounted } from "#app/stories/readers/readers.server.ts";
import { getWriters } from "#app/stories/writers/writers.server.ts";
import { loadAnswers } from "./answers.server.ts";
import { readFileNumber } from "./data/data-path.ts";
import { findProfileTab } from "./profile-view.ts";
import { countReports, loadReports } from "./reports/reports.server.ts";
import { loadSecurity } from "./security.server.ts";
import { getUnsavedProfile } from "./unsaved-profile.server.ts";

/**
 * Returns the user's profile with what the tab in the URL shows; `ended` when the session has ended. What belongs to other
 * tabs, or is unavailable, is `null`.
 *
 * @throws a redirect to /login for a visitor
 */
export async function loadProfile(args: LoaderFunctionArgs) {
  const { request, context } = args;
  const user = await requireUser(args);
  const security = await loadSecurity(args);
  if (security === "ended") return security;
  const { isOperator } = user;
  const tab = findProfileTab(new URL(request.url).searchParams.get("tab"), isOperator);
  const reports = tab === "reports" ? await loadReports(args, user) : null;
  const [hidden, hiddenItems] =
    tab === "hidden"
      ? await Promise.all([loadHiddenPeople(context, user), loadHiddenItems(args, user)])
      : [null, null];
  const [isUnseen, isUncounted] =
    tab === "data"
      ? await Promise.all([loadUnseen(context, user), loadUncounted(context, user)])
      : [null, null];
  const answers = tab === "answers" ? await catchUnavailable(loadAnswers(args, user)) : null;
  const stories = tab === "stories" ? await catchUnavailable(getCounts(context).list(user)) : null;
  const writer = tab === "name" ? await catchUnavailable(getWriters(context).find(user.uid)) : null;
  return {
    user: toUser(user),
    canUpload: canUpload(context),
    security,
    tab,
    hidden,
    hiddenItems,
    isOperator,
    reports,
    openReports: reports ? reports.total : await countReports(args, user),
    isUnseen,
    isUncounted,
    files: readFileNumber(new URL(request.url).searchParams).files,
    answers: answers instanceof UnavailableError ? null : answers,
    stories: stories instanceof UnavailableError ? null : stories,
    about: writer instanceof UnavailableError || tab !== "name" ? null : (writer?.about ?? ""),
    unsaved: await getUnsavedProfile(context).get(request, user.uid),
    returnTo: getReturnTo(request),
  };
}

/** Returns the stories, tags and writers that the user has hidden; `null` when the account can't be read. */
async function loadHiddenItems(
  { request, context }: LoaderFunctionArgs,
  user: AuthUser,
): Promise<HiddenItem[] | null> {
  const account = await catchUnavailable(getLibrary(context).listHidden(user));
  return account instanceof UnavailableError
    ? null
    : mergeHidden(account, getDeviceHidden(request));
}
