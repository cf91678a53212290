import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData, useLocation } from "@remix-run/react";

import { FoldedRoom } from "#app/features/chat/folded-room.tsx";
import { Dashboard } from "#app/features/stories/dashboard.tsx";
import { loadRoom, sendMessage } from "./room.server.ts";
import { useAccount } from "./root-data.ts";

export { clientAction } from "./message-form.ts";
export { shouldRevalidate } from "./revalidation.ts";

export const meta: MetaFunction = () => [
  { title: "Inkglade · Stories, in good company." },
  { name: "description", content: "Read short stories, and talk about them in one shared room." },
];

export async function loader(args: LoaderFunctionArgs) {
  return { room: await loadRoom(args) };
}

export const action = sendMessage;

export default function HomeRoute() {
  const { room } = useLoaderData<typeof loader>();
  const { pathname, search } = useLocation();
  return (
    <>
      <Dashboard />
      <FoldedRoom
        room={room}
        account={useAccount()}
        path={pathname + search}
        reply={useActionData<typeof action>()}
      />
    </>
  );
}
