import {
  redirect,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import {
  useActionData,
  useLoaderData,
  useLocation,
  type ClientActionFunctionArgs,
  type ShouldRevalidateFunctionArgs,
} from "@remix-run/react";
import { useEffect, useState } from "react";

import { useGoogleError } from "#app/accounts/google/use-google-error.ts";
import { ChatPanel } from "#app/chat/panel/chat-panel.tsx";
import { loadRoom, sendMessage } from "#app/chat/room.server.ts";
import { readFormWithin } from "#app/http/form.server.ts";
import { joinHeaders } from "#app/http/headers.ts";
import { keepWish } from "#app/session/return-to.server.ts";
import { isFollowingOtherTab } from "#app/session/use-other-tabs.ts";
import { useUser } from "#app/session/use-user.ts";
import { getSession } from "#app/session/user.server.ts";
import { sayEnd } from "#app/site/flash/flash.server.ts";
import { withOfflineFallback, offlineMessage, isOffline } from "#app/site/offline.ts";
import { describePage } from "#app/site/page-meta.ts";
import { MAX_DRAFT_BYTES } from "#app/writing/draft-actions.server.ts";
import { changeDesk, DESK_FIELDS, refuseDesk } from "#app/writing/editor-actions.server.ts";
import { loadDesk } from "#app/writing/editor-data.server.ts";
import type { DeskView } from "#app/writing/editor-data.ts";
import { MANUSCRIPT_FORM } from "#app/writing/editor/draft-form.tsx";
import { CreateScreen } from "#app/writing/editor/editor-page.tsx";
import { UnreachableDraft } from "#app/writing/editor/unavailable-draft.tsx";

export const meta: MetaFunction = () => describePage({ title: "Create" });

export async function loader(args: LoaderFunctionArgs) {
  const { user: account, headers, hasEnded } = await getSession(args);
  // A page that was posted to stands all the same: the action's refusal brings back what was typed.
  const isPost = args.context.cloudflare.request?.method === "POST";
  if (!account && !isPost) {
    const more = joinHeaders(headers, keepWish(args.request), sayEnd(args.request, hasEnded));
    throw redirect("/login", { headers: more });
  }
  const [room, desk] = await Promise.all([loadRoom(args), loadDesk(args)]);
  return { room, desk };
}

/** What has an intent is about the desk. Anything else is a message alone, as every page with the room takes it. */
export async function action(args: ActionFunctionArgs) {
  const form = await readFormWithin(args.request, DESK_FIELDS, MAX_DRAFT_BYTES);
  if (!form) return refuseDesk(args);
  return form.has("intent") ? changeDesk(args, form) : sendMessage(args, form);
}

/** What does not reach the server leaves the page as it is, with all that is written on it. */
export function clientAction({ serverAction }: ClientActionFunctionArgs) {
  return withOfflineFallback(() => serverAction<typeof action>());
}

/** Signing out, in the panel or in another tab, leaves the editor and its words alone. */
export function shouldRevalidate({
  formData,
  actionResult,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  const isLeftAlone = formData?.has("stay") || isFollowingOtherTab() || isOffline(actionResult);
  return isLeftAlone ? false : defaultShouldRevalidate;
}

export default function CreateRoute() {
  const { room, desk: loaded } = useLoaderData<typeof loader>();
  const desk = useLastRead(loaded);
  const { pathname, search } = useLocation();
  const answer = useActionData<typeof clientAction>();
  const unreached = useUnreached(answer);
  const reply = isOffline(answer) ? undefined : answer;
  const account = useUser();
  // The same for the life of the page, while the loader's object is a new one each time.
  const [firebase] = useState(room.firebase);
  const change = reply && "reply" in reply ? reply : undefined;
  const sent = reply && !("reply" in reply) ? reply : undefined;
  return (
    <>
      {/* What came back with the page says itself that it was not saved. */}
      {desk.isUnreachable && !change?.typed ? <UnreachableDraft id={desk.draft.id} /> : null}
      <CreateScreen
        desk={desk}
        uid={account?.uid}
        name={account?.displayName ?? null}
        reply={change}
        unreached={unreached}
        firebase={firebase}
      >
        <ChatPanel
          room={room}
          account={account}
          path={pathname + search}
          pageForm={MANUSCRIPT_FORM}
          reply={change?.message ?? sent}
          signInRefusal={useGoogleError("room")}
        />
      </CreateScreen>
    </>
  );
}

/** Returns why an answer did not come, and what to do, which is another thing once the connection is back. */
function useUnreached(answer: unknown): string | undefined {
  const [answerBefore, setAnswerBefore] = useState<unknown>();
  useEffect(() => {
    if (!isOffline(answer)) return undefined;
    const note = () => setAnswerBefore(answer);
    window.addEventListener("online", note);
    return () => window.removeEventListener("online", note);
  }, [answer]);
  if (!isOffline(answer)) return undefined;
  return answer === answerBefore ? "You're back online. Try again." : offlineMessage(answer);
}

/** Returns the desk with the draft as it was read last, when it is the same and cannot be read again. */
function useLastRead(desk: DeskView): DeskView {
  const [last, setLast] = useState(desk);
  if (!desk.isUnreachable && desk !== last) setLast(desk);
  const isKnown = desk.isUnreachable && !last.isUnreachable && last.draft.id === desk.draft.id;
  return isKnown ? { ...desk, draft: last.draft, isUnreachable: false } : desk;
}
