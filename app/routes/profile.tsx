import { data, redirect, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData, type ClientActionFunctionArgs } from "@remix-run/react";

import { useGoogleError } from "#app/accounts/google/use-google-error.ts";
import { rememberHidden } from "#app/chat/hidden.server.ts";
import { joinHeaders } from "#app/http/headers.ts";
import { getPageValues } from "#app/http/page-record.server.ts";
import { findFlashSection, runProfileAction } from "#app/profile/run-profile-action.server.ts";
import { ProfileScreen } from "#app/profile/profile-screen.tsx";
import { findProfileForm, findProfileTab, getTabLabel } from "#app/profile/profile-view.ts";
import { loadProfile } from "#app/profile/profile.server.ts";
import { clearReturnTo } from "#app/session/return-to.server.ts";
import { getSessionCookie } from "#app/session/session.server.ts";
import { FlashBanner } from "#app/site/flash/flash-banner.tsx";
import { clearFlash, getFlash, getFlashText, setFlash } from "#app/site/flash/flash.server.ts";
import { withOfflineBanner, withOfflineFallback } from "#app/site/offline.ts";
import { describePage } from "#app/site/page-meta.ts";

export { shouldRevalidate } from "#app/site/revalidation.ts";

export const meta: MetaFunction<typeof loader> = (args) => {
  const tab = new URLSearchParams(args.location.search).get("tab");
  const shown = args.data?.tab ?? findProfileTab(tab, false);
  return describePage(args, { title: `${getTabLabel(shown)} · Profile`, canonical: null });
};

export async function loader(args: LoaderFunctionArgs) {
  const { request, context } = args;
  const profile = await loadProfile(args);
  if (profile === "ended") {
    const cookie = getSessionCookie(context).destroySession(request);
    return redirect("/login", { headers: joinHeaders(cookie, setFlash(request, "session-ended")) });
  }
  const flash = getFlash(request);
  const loadedAt = getPageValues(context).now ?? Date.now();
  const { user } = profile;
  const hidden = profile.tab === "hidden" ? profile.hidden : null;
  const headers = joinHeaders(
    clearFlash(request, flash),
    clearReturnTo(request),
    hidden
      ? rememberHidden(
          request,
          user,
          hidden.map(({ uid }) => uid),
        )
      : {},
  );
  const section = findFlashSection(flash, profile);
  return data(
    { ...profile, flash, flashText: getFlashText(flash), section, loadedAt },
    { headers },
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
  const { flashText, section, loadedAt, ...profile } = useLoaderData<typeof loader>();
  const result = useActionData<typeof clientAction>();
  const googleError = useGoogleError("link");
  // A result belongs to a later submit than the flash.
  const text = result ? null : flashText;
  const sectionFlash = text && section ? { text, section } : null;
  return (
    <>
      {/* The key shows the same flash again after another submit. */}
      <FlashBanner key={loadedAt} text={sectionFlash ? null : text} />
      <ProfileScreen {...profile} flash={sectionFlash} result={result} googleError={googleError} />
    </>
  );
}
