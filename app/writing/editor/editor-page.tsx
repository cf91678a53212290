import "@fontsource-variable/literata/index.css";
import { useSearchParams } from "@remix-run/react";
import { useCallback, useState, type ReactNode } from "react";

import type { FirebaseConfig } from "#app/firebase/config.ts";
import { LinkTabs } from "#app/ui/link-tabs.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import { VisuallyHidden } from "#app/ui/visually-hidden.tsx";
import type { EditorActionData, EditorData, OpenDraft } from "#app/writing/editor-data.ts";
import { VersionList } from "#app/writing/versions/version-list.tsx";
import { DraftBar } from "./draft-bar.tsx";
import { DraftList, type EditorSave } from "./draft-list.tsx";
import { DraftPreview } from "./draft-preview.tsx";
import { getDraftToEdit } from "./draft-to-edit.ts";
import { EditorForm } from "./editor-form.tsx";
import styles from "./editor-page.module.css";
import { TrashNotice } from "./trash-notice.tsx";

export interface EditorPageProps {
  editor: EditorData;
  uid: string | undefined;
  /** The display name that readers see. */
  name: string | null;
  reply: EditorActionData | undefined;
  /** Why the last form did not reach the server, and what to do. */
  offlineHint: string | undefined;
  /** Must be stable. */
  firebase: FirebaseConfig;
  /** The chat panel. */
  children: ReactNode;
}

/** The editor, with the chat panel beside it from 992 px and below it on narrower screens, then drafts or versions. */
export function EditorPage(props: EditorPageProps) {
  const { editor, uid, name, reply, offlineHint, firebase, children } = props;
  const { sidePanel, trashed, locale, now } = editor;
  const draft = getDraftToEdit(editor.draft, reply);
  const [saved, setSaved] = useState<EditorSave | null>(null);
  const { key, isIdInUrl, setOpenId } = useEditorKey(draft);
  return (
    <>
      {trashed ? <TrashNotice key={trashed.revision} trashed={trashed} /> : null}
      <h1>
        <VisuallyHidden>Create</VisuallyHidden>
      </h1>
      <div className={styles.columns}>
        {/* Not with unsaved typed text, which would be lost by following a link. */}
        {uid !== editor.uid || reply?.typed ? null : <DraftBar editor={editor} draft={draft} />}
        <EditorForm
          key={key}
          draft={draft}
          isIdInUrl={isIdInUrl}
          isUnavailable={editor.isUnavailable}
          uid={uid}
          name={name}
          isJustPublished={editor.isJustPublished}
          reply={reply}
          locale={locale}
          now={now}
          firebase={firebase}
          onOpened={setOpenId}
          onSaved={setSaved}
        />
        {children}
      </div>
      {reply?.reply?.status === "preview" ? <DraftPreview html={reply.reply.html} /> : null}
      {/* Another user who signs in while the editor is open must not see this user's drafts. */}
      {uid !== editor.uid ? null : (
        <div id="side-panel" className={styles.sidePanel}>
          {offlineHint ? (
            <MessageBanner severity="error" hint={offlineHint}>
              That didn't work.
            </MessageBanner>
          ) : null}
          {editor.draft.revision > 0 ? (
            <SidePanelTabs id={editor.draft.id} kind={sidePanel.kind} />
          ) : null}
          {sidePanel.kind === "versions" ? (
            <VersionList draft={editor.draft} sidePanel={sidePanel} locale={locale} now={now} />
          ) : (
            <DraftList
              drafts={sidePanel.drafts}
              openId={draft.revision > 0 ? draft.id : null}
              saved={saved}
              locale={locale}
              now={now}
            />
          )}
        </div>
      )}
    </>
  );
}

/**
 * Returns the React key of the editor: one per draft in the URL. Without a draft in the URL, the editor stays mounted when
 * it adds its own draft's id to the URL, and when the loader, which proposes a new id each time, runs again.
 */
function useEditorKey(draft: OpenDraft) {
  const [params] = useSearchParams();
  const address = params.get("draft");
  const [editor, setEditor] = useState({ key: draft.id, address, openId: draft.id });
  // A failed form may change the URL to one without a draft, but loads nothing.
  const isNotLoaded = address === null && draft.id === editor.openId;
  const isSame = address === editor.address || address === editor.openId || isNotLoaded;
  const current = isSame ? { ...editor, address } : { key: draft.id, address, openId: draft.id };
  if (address !== editor.address) setEditor(current);
  const setOpenId = useCallback(
    (openId: string) => setEditor((latest) => ({ ...latest, openId })),
    [],
  );
  return { key: current.key, isIdInUrl: address === current.openId, setOpenId };
}

/** Switches the side panel between all drafts and the earlier versions of the open one. */
function SidePanelTabs({ id, kind }: { id: string; kind: EditorData["sidePanel"]["kind"] }) {
  const address = `/create?draft=${id}`;
  return (
    <div className={styles.tabs}>
      <LinkTabs
        label="Side panel"
        current={kind}
        tabs={[
          { id: "drafts", label: "Your drafts", to: `${address}#side-panel` },
          { id: "versions", label: "Earlier versions", to: `${address}&panel=versions#side-panel` },
        ]}
      />
    </div>
  );
}
