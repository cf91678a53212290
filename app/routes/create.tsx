import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import {
  useActionData,
  useLoaderData,
  useLocation,
  type ClientActionFunctionArgs,
  type ShouldRevalidateFunctionArgs,
} from "@remix-run/react";
import { useState } from "react";

import { useGoogleError } from "#app/accounts/google/use-google-error.ts";
import { requireUser } from "#app/accounts/require-user.server.ts";
import { sendMessage } from "#app/chat/create-message.server.ts";
import { loadRoom } from "#app/chat/messages.server.ts";
import { ChatPanel } from "#app/chat/panel/chat-panel.tsx";
import { readFormWithin } from "#app/http/form.server.ts";
import { isSyncingSession } from "#app/session/use-session-sync.ts";
import { useUser } from "#app/session/use-user.ts";
import { isOffline, withOfflineFallback } from "#app/site/offline.ts";
import { describePage } from "#app/site/page-meta.ts";
import { isAddressReplaced } from "#app/ui/use-replace-address.ts";
import { MAX_DRAFT_BYTES } from "#app/writing/draft-actions.server.ts";
import {
  EDITOR_FIELDS,
  handleEditorForm,
  rejectLongForm,
} from "#app/writing/editor-actions.server.ts";
import { loadEditorData } from "#app/writing/editor-data.server.ts";
import { EDITOR_FORM } from "#app/writing/editor/editor-form.tsx";
import { EditorPage } from "#app/writing/editor/editor-page.tsx";
import { UnavailableDraft } from "#app/writing/editor/unavailable-draft.tsx";
import { useAnnouncement } from "#app/writing/editor/use-announcement.ts";
import { useLastAvailable } from "#app/writing/editor/use-last-available.ts";
import { useOfflineHint } from "#app/writing/editor/use-offline-hint.ts";
import { useSideTab } from "#app/writing/editor/use-side-tab.ts";
import { isSameExceptTab } from "#app/writing/side-tabs.ts";

export const meta: MetaFunction = () => describePage({ title: "Create" });

export async function loader(args: LoaderFunctionArgs) {
  // After a form without scripts the action's answer brings back the typed text, also when the session has expired.
  const isPost = args.context.cloudflare.request?.method === "POST";
  if (!isPost) await requireUser(args);
  const [room, editor] = await Promise.all([loadRoom(args), loadEditorData(args)]);
  return { room, editor };
}

/** Forms with an intent belong to the editor. Any other is a message alone, as on every page with the chat panel. */
export async function action(args: ActionFunctionArgs) {
  const form = await readFormWithin(args.request, EDITOR_FIELDS, MAX_DRAFT_BYTES);
  if (!form) return rejectLongForm(args);
  return form.has("intent") ? handleEditorForm(args, form) : sendMessage(args, form);
}

/** Keeps the page and everything typed on it when the server cannot be reached. */
export function clientAction({ serverAction }: ClientActionFunctionArgs) {
  return withOfflineFallback(() => serverAction<typeof action>());
}

/** Keeps the editor and its text when the user signs out in the chat panel or in another tab. */
export function shouldRevalidate({
  formData,
  currentUrl,
  nextUrl,
  actionResult,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  const isUnchanged =
    formData?.has("stay") ||
    isSyncingSession() ||
    isOffline(actionResult) ||
    isAddressReplaced(nextUrl) ||
    isSameExceptTab(currentUrl, nextUrl);
  return isUnchanged ? false : defaultShouldRevalidate;
}

export default function CreateRoute() {
  const { room, editor: loaded } = useLoaderData<typeof loader>();
  const editor = useLastAvailable(loaded);
  const { pathname, search } = useLocation();
  const answer = useActionData<typeof clientAction>();
  const offlineHint = useOfflineHint(answer);
  const reply = isOffline(answer) ? undefined : answer;
  const user = useUser();
  const { isRoomShown } = useSideTab();
  // The loader returns an equal object each time. One identity keeps subscriptions open.
  const [firebase] = useState(room.firebase);
  const change = reply && "reply" in reply ? reply : undefined;
  const sent = reply && !("reply" in reply) ? reply : undefined;
  const announcement = useAnnouncement(editor, room.nextId);
  return (
    <>
      {/* An answer that contains the typed text already says that it was not saved. */}
      {editor.isUnavailable && !change?.typed ? <UnavailableDraft id={editor.draft.id} /> : null}
      <EditorPage
        editor={editor}
        uid={user?.uid}
        name={user?.displayName ?? null}
        reply={change}
        offlineHint={offlineHint}
        firebase={firebase}
      >
        <ChatPanel
          room={room}
          user={user}
          path={pathname + search}
          pageFormId={EDITOR_FORM}
          result={change?.message ?? sent ?? announcement}
          signInError={useGoogleError("room")}
          isOpen={isRoomShown}
        />
      </EditorPage>
    </>
  );
}
