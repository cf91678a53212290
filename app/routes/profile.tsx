import { data, redirect, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData, type ClientActionFunctionArgs } from "@remix-run/react";

import { useGoogleError } from "#app/accounts/google/use-google-error.ts";
import { requireUser } from "#app/accounts/require-user.server.ts";
import { loadHiddenPeople } from "#app/chat/hidden.server.ts";
import { loadUnseen } from "#app/chat/unseen.server.ts";
import { catchUnavailable } from "#app/http/catch-unavailable.server.ts";
import { joinHeaders } from "#app/http/headers.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { getPageValues } from "#app/http/request-record.server.ts";
import { runProfileAction } from "#app/profile/actions/run-profile-action.server.ts";
import { ProfileScreen } from "#app/profile/profile-screen.tsx";
import { findFlashSection, findProfileForm, findProfileTab } from "#app/profile/profile-view.ts";
import { SectionFlashContext } from "#app/profile/section-flash.tsx";
import { loadSecurity } from "#app/profile/security.server.ts";
import { getUnsavedProfile } from "#app/profile/unsaved-profile.server.ts";
import { clearReturnTo, getReturnTo } from "#app/session/return-to.server.ts";
import { getSessionCookie } from "#app/session/session.server.ts";
import { toUser } from "#app/session/user.ts";
import { FlashBanner } from "#app/site/flash/flash-banner.tsx";
import { clearFlash, getFlash, setFlash } from "#app/site/flash/flash.server.ts";
import { withOfflineBanner, withOfflineFallback } from "#app/site/offline.ts";
import { describePage } from "#app/site/page-meta.ts";
import { getCounts } from "#app/stories/counts/counts.server.ts";
import { loadUncounted } from "#app/stories/readers/readers.server.ts";
import { getWriters } from "#app/stories/writers/writers.server.ts";

export { shouldRevalidate } from "#app/site/revalidation.ts";

export const meta: MetaFunction = () => describePage({ title: "Profile" });

export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const user = await requireUser({ request, context });
  const security = await loadSecurity({ request, context, params });
  if (security === "ended") {
    const cookie = getSessionCookie(context).destroySession(request);
    return redirect("/login", { headers: joinHeaders(cookie, setFlash(request, "session-ended")) });
  }
  const flash = getFlash(request);
  const tab = findProfileTab(new URL(request.url).searchParams.get("tab"));
  const hidden = tab === "hidden" ? await loadHiddenPeople(context, user) : null;
  const [isUnseen, isUncounted] =
    tab === "data"
      ? await Promise.all([loadUnseen(context, user), loadUncounted(context, user)])
      : [null, null];
  const stories = tab === "stories" ? await catchUnavailable(getCounts(context).list(user)) : null;
  const about =
    tab === "name" ? await catchUnavailable(getWriters(context).findAbout(user.uid)) : null;
  return data(
    {
      user: toUser(user),
      flash,
      loadedAt: getPageValues(context).now ?? Date.now(),
      security,
      tab,
      hidden,
      isUnseen,
      isUncounted,
      stories: stories instanceof UnavailableError ? null : stories,
      about: about instanceof UnavailableError ? null : about,
      unsaved: await getUnsavedProfile(context).get(request, user.uid),
      returnTo: getReturnTo(request),
    },
    { headers: joinHeaders(clearFlash(request, flash), clearReturnTo(request)) },
  );
}

export const action = runProfileAction;

export async function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const form = await request.clone().formData();
  const result = await withOfflineFallback(() => serverAction<typeof action>());
  if (!("offline" in result)) return result;
  return { ...withOfflineBanner(result), form: findProfileForm(form.get("intent")) };
}

export default function ProfileRoute() {
  const { flash, loadedAt, ...profile } = useLoaderData<typeof loader>();
  const result = useActionData<typeof clientAction>();
  const googleError = useGoogleError("link");
  const section = findFlashSection(flash, profile.tab, profile.security);
  const sectionFlash = flash && section ? { flash, section } : null;
  return (
    <>
      {/* The key shows the same flash again after another submit. */}
      <FlashBanner key={loadedAt} flash={sectionFlash ? null : flash} />
      <SectionFlashContext.Provider value={sectionFlash}>
        <ProfileScreen {...profile} result={result} googleError={googleError} />
      </SectionFlashContext.Provider>
    </>
  );
}
