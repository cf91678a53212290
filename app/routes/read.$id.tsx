import literata from "@fontsource/literata/files/literata-latin-400-normal.woff2?url";
import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData, useLocation } from "@remix-run/react";

import { FoldedRoom } from "#app/features/chat/folded-room.tsx";
import { PlaceholderLine } from "#app/features/reading/placeholder-line.tsx";
import { Reader } from "#app/features/reading/reader.tsx";
import { keepOpened } from "#app/services/books.server.ts";
import { loadReading } from "./reading.server.ts";
import { loadRoom, sendMessage } from "./room.server.ts";
import { useAccount, useKeptRefusal } from "./root-data.ts";

export { shouldRevalidate } from "./revalidation.ts";

const DESCRIPTION = "Read a story, and talk about it in the room.";

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
    { title: `${title} · Inkglade` },
    { name: "description", content: description },
    ...(story
      ? [
          { property: "og:title", content: title },
          { property: "og:description", content: description },
          { property: "og:type", content: "article" },
          ...(story.settings.font === "literata" ? [LITERATA] : []),
        ]
      : []),
  ];
};

export async function loader(args: LoaderFunctionArgs) {
  const [room, story] = await Promise.all([loadRoom(args), loadReading(args)]);
  const headers = { "Set-Cookie": keepOpened(args.request, args.params.id ?? "") };
  return data({ room, story }, { headers });
}

export const action = sendMessage;

export default function ReadRoute() {
  const { room, story } = useLoaderData<typeof loader>();
  const account = useAccount();
  const { pathname, search } = useLocation();
  return (
    <>
      {story ? (
        <Reader key={story.id} view={story} uid={account?.uid} />
      ) : (
        <PlaceholderLine as="h1" />
      )}
      <FoldedRoom
        room={room}
        account={account}
        path={pathname + search}
        reply={useActionData<typeof action>()}
        signInRefusal={useKeptRefusal("room")}
      />
    </>
  );
}
