import "@fontsource-variable/literata/index.css";
import { useState, type ReactNode } from "react";

import type { FirebaseConfig } from "#app/firebase/config.ts";
import { LinkTabs } from "#app/ui/link-tabs.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import { VisuallyHidden } from "#app/ui/visually-hidden.tsx";
import { reopenDraft } from "#app/writing/autosave/reopen-draft.ts";
import type { DeskReply, DeskView, OpenDraft } from "#app/writing/editor-data.ts";
import { VersionList } from "#app/writing/versions/version-list.tsx";
import { DraftBar } from "./draft-bar.tsx";
import { ManuscriptForm, type OpenedDraft } from "./draft-form.tsx";
import { DraftList, type OpenSave } from "./draft-list.tsx";
import { DraftPreview } from "./draft-preview.tsx";
import styles from "./editor-page.module.css";
import { RemovedNotice } from "./removed-notice.tsx";

export interface CreateScreenProps {
  desk: DeskView;
  uid: string | undefined;
  /** The user's display name, which readers see. */
  name: string | null;
  reply: DeskReply | undefined;
  /** Why what was asked for last did not reach the server, if so. */
  unreached: string | undefined;
  /** The same at every render. */
  firebase: FirebaseConfig;
  /** The room. */
  children: ReactNode;
}

/** Writing on the left, the room on the right, below 992 px one under the other; then what else was written. */
export function CreateScreen(props: CreateScreenProps) {
  const { desk, uid, name, reply, unreached, firebase, children } = props;
  const { papers, removed, clock, now } = desk;
  const draft = reopenDraft(desk.draft, reply);
  const [saved, setSaved] = useState<OpenSave | null>(null);
  const [opened, setOpened] = useState<OpenedDraft | null>(null);
  const editor = useEditorKey(draft, opened);
  return (
    <>
      {removed ? <RemovedNotice key={removed.revision} removed={removed} /> : null}
      <h1>
        <VisuallyHidden>Create</VisuallyHidden>
      </h1>
      <div className={styles.screen}>
        {/* A page that brings typed words back leads nowhere else. */}
        {uid !== desk.uid || reply?.typed ? null : <DraftBar desk={desk} draft={draft} />}
        <ManuscriptForm
          key={editor}
          draft={draft}
          isUnreachable={desk.isUnreachable}
          uid={uid}
          name={name}
          isJustPublished={desk.isJustPublished}
          reply={reply}
          clock={clock}
          now={now}
          firebase={firebase}
          onOpened={setOpened}
          onSaved={setSaved}
        />
        {children}
      </div>
      {reply?.reply?.status === "preview" ? <DraftPreview html={reply.reply.html} /> : null}
      {/* Nobody else who signs in beside an open editor sees what its writer has. */}
      {uid !== desk.uid ? null : (
        <div id="papers" className={styles.papers}>
          {unreached ? (
            <MessageBanner severity="error" hint={unreached}>
              That didn't work.
            </MessageBanner>
          ) : null}
          {desk.draft.revision > 0 ? <PaperTabs id={desk.draft.id} kind={papers.kind} /> : null}
          {papers.kind === "versions" ? (
            <VersionList draft={desk.draft} papers={papers} clock={clock} now={now} />
          ) : (
            <DraftList
              drafts={papers.drafts}
              openId={draft.revision > 0 ? draft.id : null}
              saved={saved}
              clock={clock}
              now={now}
            />
          )}
        </div>
      )}
    </>
  );
}

/**
 * Returns the same as long as the editor goes on with the same draft, whose id may be another after its first save: the
 * device may have begun it earlier. What is not saved yet has another id in every answer of the server.
 */
function useEditorKey({ id, revision }: OpenDraft, opened: OpenedDraft | null): string {
  const [editor, setEditor] = useState({ key: id, id, isSaved: revision > 0, before: opened });
  const isSaved = revision > 0;
  const isFirstSave = !editor.isSaved && opened !== editor.before && id === opened?.id;
  const isSame = isSaved ? id === editor.id || isFirstSave : !editor.isSaved;
  const key = isSame ? editor.key : id;
  if (key !== editor.key || id !== editor.id || isSaved !== editor.isSaved) {
    setEditor({ key, id, isSaved, before: isSame ? editor.before : opened });
  }
  return key;
}

/** Beside the open draft there are others, and its own earlier versions. */
function PaperTabs({ id, kind }: { id: string; kind: DeskView["papers"]["kind"] }) {
  const address = `/create?draft=${id}`;
  return (
    <div className={styles.tabs}>
      <LinkTabs
        label="Drafts and versions"
        current={kind}
        tabs={[
          { id: "drafts", label: "Your drafts", to: `${address}#papers` },
          { id: "versions", label: "Earlier versions", to: `${address}&papers=versions#papers` },
        ]}
      />
    </div>
  );
}
