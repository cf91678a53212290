import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData, useLocation } from "@remix-run/react";
import { useState } from "react";

import { useGoogleError } from "#app/accounts/google/use-google-error.ts";
import { sendMessage } from "#app/chat/create-message.server.ts";
import { loadRoom } from "#app/chat/messages.server.ts";
import { CollapsibleChatPanel } from "#app/chat/panel/collapsible-chat-panel.tsx";
import { catchUnavailable } from "#app/http/catch-unavailable.server.ts";
import { isDownload } from "#app/http/page-request.server.ts";
import { isSharedPage } from "#app/http/request-record.server.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { PlaceholderLine } from "#app/reading/reader/placeholder-line.tsx";
import { Reader } from "#app/reading/reader/reader.tsx";
import { UnavailableStory } from "#app/reading/reader/unavailable-story.tsx";
import type { ReadingData } from "#app/reading/reading-data.ts";
import { loadReading, redirectToAdjacent } from "#app/reading/reading.server.ts";
import { useUser } from "#app/session/use-user.ts";
import { describePage } from "#app/site/page-meta.ts";
import { SaveTool } from "#app/stories/library/save-tool.tsx";
import { setOpenedStory } from "#app/stories/catalogue.server.ts";
import literataItalic from "#app/styles/subsets/literata-400-italic.woff2?url";
import literata from "#app/styles/subsets/literata-400.woff2?url";

export { shouldRevalidate } from "#app/site/revalidation.ts";

const DESCRIPTION = "Read a story and talk about it in the room.";

/** Loads the fonts of the text along with the style sheet, and not after it. */
function preloadFonts({ settings, startsWithItalics }: ReadingData) {
  if (settings.font !== "literata") return [];
  return [literata, ...(startsWithItalics ? [literataItalic] : [])].map((href) => ({
    tagName: "link",
    rel: "preload",
    as: "font",
    type: "font/woff2",
    href,
    crossOrigin: "anonymous",
  }));
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => {
  const story = page?.story;
  const title = story?.title ?? "Reading";
  const description = story?.description || DESCRIPTION;
  return [
    ...describePage({ title, description, type: story ? "article" : "website" }),
    ...(story ? preloadFonts(story) : []),
    // The status is 200, so search engines would index this page as the story.
    ...(page?.isUnavailable ? [{ name: "robots", content: "noindex" }] : []),
  ];
};

export async function loader(args: LoaderFunctionArgs) {
  // Any other id has a reading page.
  if (isDownload(args.params.id ?? "")) {
    throw data({ message: "This file doesn't exist." }, { status: 404 });
  }
  await redirectToAdjacent(args);
  const [room, reading] = await Promise.all([loadRoom(args), catchUnavailable(loadReading(args))]);
  const isUnavailable = reading instanceof UnavailableError;
  const story = isUnavailable ? null : reading;
  const { request, context, params } = args;
  const headers = isSharedPage(context) ? {} : setOpenedStory(request, params.id ?? "");
  return data({ room, story, isUnavailable }, { headers });
}

export const action = sendMessage;

export default function ReadRoute() {
  const { room, story, isUnavailable } = useLoaderData<typeof loader>();
  const user = useUser();
  const { pathname, search } = useLocation();
  // Each revalidation returns an equal object. One identity keeps subscriptions open.
  const [firebase] = useState(room.firebase);
  return (
    <>
      {story ? (
        <Reader
          key={story.id}
          story={story}
          uid={user?.uid}
          firebase={firebase}
          tools={<SaveTool id={story.id} title={story.title} isSaved={story.isSaved} />}
        />
      ) : (
        <PlaceholderLine as="h1" />
      )}
      {isUnavailable ? <UnavailableStory path={pathname} /> : null}
      <CollapsibleChatPanel
        room={room}
        user={user}
        path={pathname + search}
        result={useActionData<typeof action>()}
        signInError={useGoogleError("room")}
      />
    </>
  );
}
