import { data, redirect, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";

import { FlashNotice } from "#app/features/notice/flash-notice.tsx";
import { ProfileCard } from "#app/features/profile/profile-card.tsx";
import { WayOn } from "#app/features/profile/way-on.tsx";
import { forgetNotice, getNotice } from "#app/services/notice.server.ts";
import { getVisitor } from "#app/services/services.server.ts";
import { forgetWish, getWish } from "#app/services/wish.server.ts";
import { joinHeaders } from "./headers.ts";

export { shouldRevalidate } from "./revalidation.ts";

export const meta: MetaFunction = () => [{ title: "Profile · Inkglade" }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { account, headers } = await getVisitor({ request, context });
  if (!account) return redirect("/login", { headers });
  const notice = getNotice(request);
  const wish = getWish(request);
  return data(
    { account, notice, wish },
    { headers: joinHeaders(forgetNotice(notice), forgetWish(wish)) },
  );
}

export default function ProfileRoute() {
  const { account, notice, wish } = useLoaderData<typeof loader>();
  return (
    <>
      <FlashNotice notice={notice} />
      <ProfileCard account={account}>
        <WayOn wish={wish} />
      </ProfileCard>
    </>
  );
}
