import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData, useLocation } from "@remix-run/react";

import { FoldedRoom } from "#app/features/chat/folded-room.tsx";
import { ReadingPage } from "#app/features/stories/reading-page.tsx";
import { keepOpened } from "#app/services/books.server.ts";
import { loadRoom, sendMessage } from "./room.server.ts";
import { useAccount, useKeptRefusal } from "./root-data.ts";

export { shouldRevalidate } from "./revalidation.ts";

export const meta: MetaFunction = () => [
  { title: "Reading · Inkglade" },
  { name: "description", content: "Read a story, and talk about it in the room." },
];

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  return data(
    { room: await loadRoom({ request, params, context }) },
    { headers: { "Set-Cookie": keepOpened(request, params.id ?? "") } },
  );
}

export const action = sendMessage;

export default function ReadRoute() {
  const { room } = useLoaderData<typeof loader>();
  const { pathname, search } = useLocation();
  return (
    <>
      <ReadingPage />
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
