import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData, useLocation } from "@remix-run/react";

import { useGoogleError } from "#app/accounts/google/use-google-error.ts";
import { sendMessage } from "#app/chat/create-message.server.ts";
import { loadRoom } from "#app/chat/messages.server.ts";
import { CollapsibleChatPanel } from "#app/chat/panel/collapsible-chat-panel.tsx";
import { describeHome } from "#app/home/describe-home.ts";
import { Dashboard } from "#app/home/dashboard.tsx";
import { loadHome } from "#app/home/home.server.ts";
import { useUser } from "#app/session/user.ts";
import { FlashBanner } from "#app/site/flash/flash-banner.tsx";
import { clearFlash, getFlash, getFlashText } from "#app/site/flash/flash.server.ts";

export { shouldRevalidate } from "#app/site/revalidation.ts";

export const meta: MetaFunction<typeof loader> = (args) => describeHome(args, args.data);

export async function loader(args: LoaderFunctionArgs) {
  const { request } = args;
  const loadedRoom = loadRoom(args);
  const [room, home] = await Promise.all([loadedRoom, loadHome(args, loadedRoom)]);
  const flash = getFlash(request);
  const questNotice = flash === "quest-not-open" ? Date.now() : null;
  const flashText = getFlashText(flash);
  return data({ room, flashText, questNotice, ...home }, { headers: clearFlash(request, flash) });
}

export const action = sendMessage;

export default function HomeRoute() {
  const { room, flashText, title: _, ...dashboard } = useLoaderData<typeof loader>();
  const { pathname, search } = useLocation();
  return (
    <>
      <FlashBanner text={flashText} />
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
