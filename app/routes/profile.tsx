import { data, redirect, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData, type ClientActionFunctionArgs } from "@remix-run/react";

import { useGoogleError } from "#app/accounts/google/use-google-error.ts";
import { joinHeaders } from "#app/http/headers.ts";
import { changeProfile } from "#app/profile/actions.server.ts";
import { ProfileScreen } from "#app/profile/profile-screen.tsx";
import { findNoticeSection, findProfileForm, findProfileTab } from "#app/profile/profile-view.ts";
import { AnswerContext } from "#app/profile/result.tsx";
import { loadSecurity } from "#app/profile/security.server.ts";
import { getUnsavedProfile } from "#app/profile/unsaved-profile.server.ts";
import { forgetWish, getWish } from "#app/session/return-to.server.ts";
import { getSessionCookie } from "#app/session/session.server.ts";
import { getSession } from "#app/session/user.server.ts";
import { toUser } from "#app/session/user.ts";
import { FlashNotice } from "#app/site/flash/flash-banner.tsx";
import { forgetNotice, getNotice, sayEnd } from "#app/site/flash/flash.server.ts";
import { withOfflineBanner, withOfflineFallback } from "#app/site/offline.ts";
import { describePage } from "#app/site/page-meta.ts";

export { shouldRevalidate } from "#app/http/revalidation.ts";

export const meta: MetaFunction = () => describePage({ title: "Profile" });

export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const { user: account, headers, hasEnded } = await getSession({ request, context });
  if (!account)
    return redirect("/login", { headers: joinHeaders(headers, sayEnd(request, hasEnded)) });
  const security = await loadSecurity({ request, context, params });
  if (security === "ended") {
    const end = getSessionCookie(context).end(request);
    return redirect("/login", { headers: joinHeaders(end, sayEnd(request, true)) });
  }
  const notice = getNotice(request);
  const tab = findProfileTab(new URL(request.url).searchParams.get("tab"));
  const wish = getWish(request);
  const unsaved = await getUnsavedProfile(context).get(request, account.uid);
  return data(
    { account: toUser(account), notice, madeAt: Date.now(), security, tab, unsaved, wish },
    { headers: joinHeaders(forgetNotice(request, notice), forgetWish(request, wish)) },
  );
}

export const action = changeProfile;

export async function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const form = await request.clone().formData();
  const result = await withOfflineFallback(() => serverAction<typeof action>());
  if (!("offline" in result)) return result;
  return { ...withOfflineBanner(result), form: findProfileForm(form.get("intent")) };
}

export default function ProfileRoute() {
  const { notice, madeAt, ...profile } = useLoaderData<typeof loader>();
  const refusal = useActionData<typeof clientAction>();
  const linkRefusal = useGoogleError("link");
  const section = findNoticeSection(notice, profile.tab, profile.security);
  const answer = notice && section ? { notice, section } : null;
  return (
    <>
      {/* The same words once more are another notice. */}
      <FlashNotice key={madeAt} notice={answer ? null : notice} />
      <AnswerContext.Provider value={answer}>
        <ProfileScreen {...profile} refusal={refusal} linkRefusal={linkRefusal} />
      </AnswerContext.Provider>
    </>
  );
}
