import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData, useLocation } from "@remix-run/react";

import { useGoogleError } from "#app/accounts/google/use-google-error.ts";
import { loadRoom, sendMessage } from "#app/chat/messages.server.ts";
import { CollapsibleChatPanel } from "#app/chat/panel/collapsible-chat-panel.tsx";
import { catchUnavailable } from "#app/http/catch-unavailable.server.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { loadInProgress, toInProgressStories } from "#app/reading/in-progress.server.ts";
import { useUser } from "#app/session/use-user.ts";
import { getPendingSession } from "#app/session/user.server.ts";
import { FlashBanner } from "#app/site/flash/flash-banner.tsx";
import { clearFlash, getFlash } from "#app/site/flash/flash.server.ts";
import { describePage } from "#app/site/page-meta.ts";
import { listBooks, listReadable } from "#app/stories/catalogue.server.ts";
import { Dashboard } from "#app/stories/dashboard/dashboard.tsx";
import { describeResults, isNarrowed } from "#app/stories/dashboard/story-list.tsx";
import { getPublishedStories } from "#app/stories/published.server.ts";
import { getKnownReaders, updateReadersLater } from "#app/stories/readers/readers.server.ts";
import { findSampleType } from "#app/stories/sample-item.ts";
import { readQuery, searchStories, toSearchResult } from "#app/stories/search.server.ts";

export { shouldRevalidate } from "#app/site/revalidation.ts";

export const meta: MetaFunction<typeof loader> = ({ data: page }) =>
  describePage({
    title: page && isNarrowed(page.search) ? describeResults(page.search) : undefined,
    description: "Read short stories and talk about them in one shared room.",
  });

const NEW_STORIES = 8;

export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const [room, books, published, inProgress] = await Promise.all([
    loadRoom({ request, context, params }),
    listBooks({ request, context }),
    getPendingSession({ request, context }).then(({ requests }) =>
      // A page may make three requests: a session that has to be checked leaves none for the list.
      catchUnavailable(getPublishedStories(context).list(requests > 0)),
    ),
    loadInProgress({ request, context, params }),
  ]);
  updateReadersLater(context);
  const isPartial = published instanceof UnavailableError;
  const stories = isPartial ? [] : published;
  const query = readQuery(request);
  const type = findSampleType(new URL(request.url).searchParams.get("type"));
  const flash = getFlash(request);
  return data(
    {
      room,
      books,
      firstStory: listReadable(books)[0]?.id ?? null,
      inProgress: toInProgressStories(inProgress.positions, books),
      isInProgressPartial: inProgress.isPartial,
      readers: getKnownReaders(context),
      search: {
        query,
        type,
        results: searchStories({ books, stories }, query, type),
        isPartial,
      },
      newStories: isPartial ? null : stories.slice(0, NEW_STORIES).map(toSearchResult),
      flash,
      questNotice: flash === "quest-not-open" ? Date.now() : null,
    },
    { headers: clearFlash(request, flash) },
  );
}

export const action = sendMessage;

export default function HomeRoute() {
  const { room, flash, ...dashboard } = useLoaderData<typeof loader>();
  const { pathname, search } = useLocation();
  return (
    <>
      <FlashBanner flash={flash} />
      <Dashboard {...dashboard} />
      <CollapsibleChatPanel
        room={room}
        user={useUser()}
        path={pathname + search}
        result={useActionData<typeof action>()}
        signInError={useGoogleError("room")}
      />
    </>
  );
}
