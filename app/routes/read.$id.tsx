import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData, useLocation } from "@remix-run/react";

import { useGoogleError } from "#app/accounts/google/use-google-error.ts";
import { sendMessage } from "#app/chat/create-message.server.ts";
import { clearDone, loadRoom } from "#app/chat/messages.server.ts";
import { CollapsibleChatPanel } from "#app/chat/panel/collapsible-chat-panel.tsx";
import { joinHeaders } from "#app/http/headers.ts";
import { isDownload } from "#app/http/page-request.server.ts";
import { isSharedPage, setStoryMissing } from "#app/http/page-record.server.ts";
import { catchUnavailable, UnavailableError } from "#app/http/unavailable-error.server.ts";
import { describeReading } from "#app/reading/reader/describe-reading.ts";
import {
  PlaceholderLine,
  UnavailableStory,
  WithdrawnStory,
} from "#app/reading/reader/placeholder.tsx";
import { Reader } from "#app/reading/reader/reader.tsx";
import {
  forgetStory,
  loadReading,
  loadTalk,
  redirectToAdjacent,
} from "#app/reading/reading.server.ts";
import { useUser } from "#app/session/user.ts";
import { setOpenedStory } from "#app/stories/catalogue.server.ts";
import { SaveTool } from "#app/stories/library/save-button.tsx";

export { shouldRevalidate } from "#app/site/revalidation.ts";

export const meta: MetaFunction<typeof loader> = (args) =>
  describeReading(args, args.data?.story ?? null);

export async function loader(args: LoaderFunctionArgs) {
  const { request, context, params } = args;
  const { id = "" } = params;
  // Any other id has a reading page.
  if (isDownload(id)) throw data({ message: "This file doesn't exist." }, { status: 404 });
  await redirectToAdjacent(args);
  const talk = loadTalk(args);
  const loading = catchUnavailable(loadReading(args, talk));
  const findReached = async () => {
    const found = await loading;
    const isFound = found && found !== "withdrawn" && !(found instanceof UnavailableError);
    return isFound ? found.quoted.lastReached : -1;
  };
  const [loadedRoom, reading] = await Promise.all([loadRoom(args, talk, findReached), loading]);
  const isUnavailable = reading instanceof UnavailableError;
  if (isUnavailable) setStoryMissing();
  const isWithdrawn = reading === "withdrawn";
  const story = isUnavailable || isWithdrawn ? null : reading;
  const isMissing = !story && !isUnavailable;
  // What is said about a withdrawn story quotes its text, so its page shows everyone's messages.
  const shownRoom =
    isMissing && loadedRoom.subject ? await loadRoom({ ...args, params: { id: "" } }) : loadedRoom;
  const stories = { ...shownRoom.stories, ...(story && { [id]: story.quoted }) };
  const room = { ...shownRoom, stories, talk: story && shownRoom.talk };
  const headers = isSharedPage(context)
    ? {}
    : joinHeaders(
        setOpenedStory(request, id),
        clearDone(request, room.done),
        isMissing ? await forgetStory(args) : {},
      );
  return data({ room, story, isUnavailable, isWithdrawn }, { headers });
}

export const action = sendMessage;

export default function ReadRoute() {
  const { room, story, isUnavailable, isWithdrawn } = useLoaderData<typeof loader>();
  const user = useUser();
  const { pathname, search } = useLocation();
  return (
    <>
      {story ? (
        <Reader
          key={story.id}
          story={story}
          uid={user?.uid}
          firebase={room.firebase}
          hiddenUids={room.hiddenUids}
          tools={<SaveTool id={story.id} title={story.title} isSaved={story.isSaved} />}
        />
      ) : (
        <PlaceholderLine as="h1" />
      )}
      {isWithdrawn ? <WithdrawnStory /> : null}
      {isUnavailable ? <UnavailableStory path={pathname} /> : null}
      <CollapsibleChatPanel
        // Otherwise an open room would stay with the messages about a story that is withdrawn meanwhile.
        key={+isWithdrawn}
        room={room}
        user={user}
        path={pathname + search}
        result={useActionData<typeof action>()}
        signInError={useGoogleError("room")}
      />
    </>
  );
}
