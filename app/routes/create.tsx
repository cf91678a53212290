import { redirect, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import {
  useActionData,
  useLoaderData,
  useLocation,
  type ShouldRevalidateFunctionArgs,
} from "@remix-run/react";

import { isFollowingOtherTab } from "#app/features/auth/use-other-tabs.ts";
import { ChatPanel } from "#app/features/chat/chat-panel.tsx";
import { CreateScreen } from "#app/features/stories/create-screen.tsx";
import { getVisitor } from "#app/services/services.server.ts";
import { keepWish } from "#app/services/wish.server.ts";
import { joinHeaders } from "./headers.ts";
import { loadRoom, sendMessage } from "./room.server.ts";
import { useAccount, useKeptRefusal } from "./root-data.ts";

export const meta: MetaFunction = () => [{ title: "Create · Inkglade" }];

export async function loader(args: LoaderFunctionArgs) {
  const { account, headers } = await getVisitor(args);
  // A page that was posted to stands all the same: the action's refusal brings back what was typed.
  const isPost = args.context.cloudflare.request?.method === "POST";
  if (!account && !isPost) {
    throw redirect("/login", { headers: joinHeaders(headers, keepWish(args.request)) });
  }
  return { room: await loadRoom(args) };
}

export const action = sendMessage;

/** Signing out, in the panel or in another tab, leaves the editor and its words alone. */
export function shouldRevalidate({
  formData,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  return formData?.has("stay") || isFollowingOtherTab() ? false : defaultShouldRevalidate;
}

export default function CreateRoute() {
  const { room } = useLoaderData<typeof loader>();
  const { pathname, search } = useLocation();
  return (
    <CreateScreen>
      <ChatPanel
        room={room}
        account={useAccount()}
        path={pathname + search}
        reply={useActionData<typeof action>()}
        signInRefusal={useKeptRefusal("room")}
      />
    </CreateScreen>
  );
}
