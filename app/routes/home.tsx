import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData, useLocation } from "@remix-run/react";

import { FoldedRoom } from "#app/features/chat/folded-room.tsx";
import { FlashNotice } from "#app/features/notice/flash-notice.tsx";
import { Dashboard } from "#app/features/stories/dashboard.tsx";
import { describeFindings, isNarrowed } from "#app/features/stories/story-list.tsx";
import { findSampleType } from "#app/schemas/sample-item.ts";
import { listBooks } from "#app/services/books.server.ts";
import { forgetNotice, getNotice } from "#app/services/notice.server.ts";
import { findStories, readQuery, toFinding } from "#app/services/search.server.ts";
import { getServices, getVisit } from "#app/services/services.server.ts";
import { loadPlaces, toBegunStories } from "./begun.server.ts";
import { describePage } from "./page-meta.ts";
import { loadRoom, sendMessage } from "./room.server.ts";
import { useAccount, useKeptRefusal } from "./root-data.ts";

export { shouldRevalidate } from "./revalidation.ts";

export const meta: MetaFunction<typeof loader> = ({ data: page }) =>
  describePage({
    title: page && isNarrowed(page.search) ? describeFindings(page.search) : undefined,
    description: "Read short stories and talk about them in one shared room.",
  });

/** As many of the newest stories as a row or two hold. */
const NEW_STORIES = 8;

export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const [room, books, published, places] = await Promise.all([
    loadRoom({ request, context, params }),
    listBooks({ request, context }),
    getVisit({ request, context }).then(({ requests }) =>
      getServices(context).published.list(requests > 0),
    ),
    loadPlaces({ request, context, params }),
  ]);
  const query = readQuery(request);
  const type = findSampleType(new URL(request.url).searchParams.get("type"));
  const notice = getNotice(request);
  return data(
    {
      room,
      books,
      begun: toBegunStories(places.begun, books),
      arePlacesUnreachable: places.isAccountUnreachable,
      search: {
        query,
        type,
        findings: findStories({ books, published }, query, type),
        isPartial: published === null,
      },
      newStories: published?.slice(0, NEW_STORIES).map(toFinding) ?? null,
      notice,
      questNotice: notice === "quest-not-open" ? Date.now() : null,
    },
    { headers: forgetNotice(request, notice) },
  );
}

export const action = sendMessage;

export default function HomeRoute() {
  const { room, notice, ...dashboard } = useLoaderData<typeof loader>();
  const { pathname, search } = useLocation();
  return (
    <>
      <FlashNotice notice={notice} />
      <Dashboard {...dashboard} />
      <FoldedRoom
        room={room}
        account={useAccount()}
        path={pathname + search}
        reply={useActionData<typeof action>()}
        signInRefusal={useKeptRefusal("room")}
      />
    </>
  );
}
