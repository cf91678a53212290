import {
  data,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import {
  useActionData,
  useLoaderData,
  useLocation,
  type ClientActionFunctionArgs,
} from "@remix-run/react";

import { useGoogleError } from "#app/accounts/google/use-google-error.ts";
import { requireUser } from "#app/accounts/require-user.server.ts";
import { sendMessage } from "#app/chat/create-message.server.ts";
import { clearDone, loadRoom } from "#app/chat/messages.server.ts";
import { ChatPanel } from "#app/chat/panel/chat-panel.tsx";
import { readFileForm } from "#app/http/form.server.ts";
import { canUpload } from "#app/pictures/picture-bucket.server.ts";
import { useUser } from "#app/session/user.ts";
import { withOfflineFallback } from "#app/site/offline.ts";
import { describePage } from "#app/site/page-meta.ts";
import { isRevalidation } from "#app/site/revalidation.ts";
import {
  EDITOR_FIELDS,
  EDITOR_FILES,
  handleEditorForm,
  MAX_EDITOR_BYTES,
  rejectLongForm,
} from "#app/writing/editor-actions.server.ts";
import { loadEditorData } from "#app/writing/editor-data.server.ts";
import { EDITOR_FORM_ID } from "#app/writing/editor/editor-form.tsx";
import { EditorPage } from "#app/writing/editor/editor-page.tsx";
import {
  useAnnouncement,
  useEditorResults,
  useLastAvailable,
} from "#app/writing/editor/use-editor-data.ts";
import { useSideTab } from "#app/writing/editor/side-panel.tsx";
import { findSideTab, getTabLabel } from "#app/writing/side-tabs.ts";

export { shouldRevalidate } from "#app/writing/editor/use-editor-data.ts";

export const meta: MetaFunction = (args) => {
  const tab = findSideTab(new URLSearchParams(args.location.search));
  const title = tab ? `${getTabLabel(tab)} · Create` : "Create";
  return describePage(args, { title, canonical: null });
};

export async function loader(args: LoaderFunctionArgs) {
  // After a form was submitted without scripts, the action's result contains the typed text, even if the session has
  // expired. A revalidation would replace the editor and its text if the user has signed out elsewhere.
  const isPost = args.context.cloudflare.request?.method === "POST";
  if (!isPost && !isRevalidation(args.request)) await requireUser(args);
  const [room, editor] = await Promise.all([loadRoom(args), loadEditorData(args)]);
  return data(
    { room, editor, canUpload: canUpload(args.context) },
    { headers: clearDone(args.request, room.done) },
  );
}

/** Forms with an intent belong to the editor. Any other is a message alone, as on every page with the chat panel. */
export async function action(args: ActionFunctionArgs) {
  const posted = await readFileForm(args.request, EDITOR_FIELDS, EDITOR_FILES, MAX_EDITOR_BYTES);
  if (!posted) return rejectLongForm();
  const { form, files } = posted;
  return form.has("intent") ? handleEditorForm(args, form, files) : sendMessage(args, form);
}

/** Keeps the page and everything typed on it when the server cannot be reached. */
export function clientAction({ serverAction }: ClientActionFunctionArgs) {
  return withOfflineFallback(() => serverAction<typeof action>());
}

export default function CreateRoute() {
  const loaded = useLoaderData<typeof loader>();
  const { room } = loaded;
  const editor = useLastAvailable(loaded.editor);
  const results = useEditorResults(useActionData<typeof clientAction>());
  const announcement = useAnnouncement(editor, room.nextId);
  const { pathname, search } = useLocation();
  const { isRoomShown } = useSideTab();
  const user = useUser();
  return (
    <EditorPage
      editor={editor}
      user={user}
      canUpload={loaded.canUpload}
      actionData={results.actionData}
      offlineHint={results.offlineHint}
      firebase={room.firebase}
    >
      <ChatPanel
        room={room}
        user={user}
        path={pathname + search}
        pageFormId={EDITOR_FORM_ID}
        result={results.messageResult ?? announcement}
        signInError={useGoogleError("room")}
        isOpen={isRoomShown}
      />
    </EditorPage>
  );
}
