import literata from "@fontsource/literata/files/literata-latin-400-normal.woff2?url";
import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData, useLocation } from "@remix-run/react";
import { useState } from "react";

import { useGoogleError } from "#app/accounts/google/use-google-error.ts";
import { loadRoom, sendMessage } from "#app/chat/messages.server.ts";
import { CollapsibleChatPanel } from "#app/chat/panel/collapsible-chat-panel.tsx";
import { isDownload } from "#app/http/page-request.server.ts";
import { PlaceholderLine } from "#app/reading/reader/placeholder-line.tsx";
import { Reader } from "#app/reading/reader/reader.tsx";
import { UnreachableStory } from "#app/reading/reader/unavailable-story.tsx";
import { followNeighbour, loadReading } from "#app/reading/reading.server.ts";
import { useUser } from "#app/session/use-user.ts";
import { describePage } from "#app/site/page-meta.ts";
import { keepOpened } from "#app/stories/catalogue.server.ts";

export { shouldRevalidate } from "#app/http/revalidation.ts";

const DESCRIPTION = "Read a story and talk about it in the room.";

/** The text is what one came for, so its font is asked for beside the style sheet instead of after it. */
const LITERATA = {
  tagName: "link",
  rel: "preload",
  as: "font",
  type: "font/woff2",
  href: literata,
  crossOrigin: "anonymous",
};

export const meta: MetaFunction<typeof loader> = ({ data: page }) => {
  const story = page?.story;
  const title = story?.title ?? "Reading";
  const description = story?.description || DESCRIPTION;
  return [
    ...describePage({ title, description, type: story ? "article" : "website" }),
    ...(story?.settings.font === "literata" ? [LITERATA] : []),
    // The page answers 200 all the same, and is not to be found in its stead.
    ...(page?.isUnreachable ? [{ name: "robots", content: "noindex" }] : []),
  ];
};

export async function loader(args: LoaderFunctionArgs) {
  // Any id is a reading page's, but for the name of a file that we do not make.
  if (isDownload(args.params.id ?? "")) {
    throw data({ message: "This file doesn't exist." }, { status: 404 });
  }
  await followNeighbour(args);
  const [room, reading] = await Promise.all([loadRoom(args), loadReading(args)]);
  const isUnreachable = reading === "unreachable";
  const story = isUnreachable ? null : reading;
  const headers = { "Set-Cookie": keepOpened(args.request, args.params.id ?? "") };
  return data({ room, story, isUnreachable }, { headers });
}

export const action = sendMessage;

export default function ReadRoute() {
  const { room, story, isUnreachable } = useLoaderData<typeof loader>();
  const account = useUser();
  const { pathname, search } = useLocation();
  // The same for the life of the page, while the loader's object is a new one each time.
  const [firebase] = useState(room.firebase);
  return (
    <>
      {story ? (
        <Reader key={story.id} view={story} uid={account?.uid} firebase={firebase} />
      ) : (
        <PlaceholderLine as="h1" />
      )}
      {isUnreachable ? <UnreachableStory path={pathname} /> : null}
      <CollapsibleChatPanel
        room={room}
        user={account}
        path={pathname + search}
        result={useActionData<typeof action>()}
        signInError={useGoogleError("room")}
      />
    </>
  );
}
