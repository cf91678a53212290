import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";

import type {
  loadMessagePage,
  submitMessagePage,
} from "#app/chat/message-page/message-page.server.ts";
import { MessageScreen } from "#app/chat/message-page/message-page.tsx";
import { describePage } from "#app/site/page-meta.ts";

export {
  loadMessagePage as loader,
  submitMessagePage as action,
} from "#app/chat/message-page/message-page.server.ts";
export { shouldRevalidate } from "#app/site/revalidation.ts";

export const meta: MetaFunction = (args) =>
  describePage(args, { title: "Message", canonical: null });

export default function RoomMessageActionsRoute() {
  const page = useLoaderData<typeof loadMessagePage>();
  return (
    <MessageScreen
      // The fields keep their text as long as they are mounted.
      key={page.path}
      {...page}
      result={useActionData<typeof submitMessagePage>()}
    />
  );
}
