import "@fontsource-variable/literata/index.css";
import { Form, useSearchParams } from "@remix-run/react";
import { useCallback, useEffect, useState, type ReactNode } from "react";

import type { FirebaseConfig } from "#app/firebase/config.ts";
import type { User } from "#app/session/user.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import { VisuallyHidden } from "#app/ui/visually-hidden.tsx";
import type {
  DraftsPanel,
  EditorActionData,
  EditorData,
  OpenDraft,
  VersionsPanel,
} from "#app/writing/editor-data.ts";
import { NEW_PARAM, toCreatePath } from "#app/writing/side-tabs.ts";
import { VersionList } from "#app/writing/versions/version-list.tsx";
import { DraftList, type EditorSave } from "./draft-list.tsx";
import { EditorForm } from "./editor-form.tsx";
import styles from "./editor-page.module.css";
import { DraftPreview } from "./preview.tsx";
import panel from "./side-panel.module.css";
import { PhoneTabs, SidePanel, useSideTab } from "./side-panel.tsx";

export interface EditorPageProps {
  editor: EditorData;
  user: User | null;
  /** Whether this site stores pictures. */
  canUpload: boolean;
  /** What the action of the page returned for the editor. */
  actionData: EditorActionData | undefined;
  /** Why the last form did not reach the server, and what to do. */
  offlineHint: string | undefined;
  firebase: FirebaseConfig;
  /** The chat panel. */
  children: ReactNode;
}

/**
 * The editor, and a panel with drafts, the room and versions: beside it from 992 px, otherwise as tabs in its place.
 */
export function EditorPage(props: EditorPageProps) {
  const { editor, user, actionData, offlineHint, children } = props;
  const { sidePanel, trashed, locale, now } = editor;
  const draft = getDraftToEdit(editor.draft, actionData);
  // After a redirect the address says what was done.
  const done = actionData?.result?.status === "saved" ? actionData.typed?.intent : undefined;
  const preview = actionData?.result?.status === "preview" ? actionData.result : null;
  // Each revalidation returns a new object with the same values, which would restart the subscriptions.
  const [firebase] = useState(props.firebase);
  const [saved, setSaved] = useState<EditorSave | null>(null);
  const { key, address, isIdInUrl, setOpenId } = useEditorKey(draft);
  const { tab } = useSideTab();
  useKeyboardInset();
  // Another user who signs in while the editor is open must not see this user's drafts.
  const isOwner = user?.uid === editor.uid;
  const addressId = address === NEW_PARAM ? null : address;
  const draftId = addressId ?? (draft.revision > 0 || editor.isUnavailable ? draft.id : null);
  const tabs = { tab, draftId, isNew: address === NEW_PARAM };
  return (
    <>
      {/* If the action returned the typed text, its result already says whether the text was saved. */}
      {editor.isUnavailable && !actionData?.typed ? (
        <UnavailableDraft id={editor.draft.id} />
      ) : null}
      {draft.isDamaged ? <DamagedDraft id={draft.id} /> : null}
      {trashed ? <TrashNotice key={`${trashed.id}.${trashed.revision}`} trashed={trashed} /> : null}
      <h1 className={styles.heading}>
        <VisuallyHidden>Create</VisuallyHidden>
      </h1>
      <div className={styles.page}>
        <PhoneTabs {...tabs} />
        {offlineHint ? (
          <MessageBanner severity="error" hint={offlineHint} className={styles.column}>
            That didn't work.
          </MessageBanner>
        ) : null}
        <div className={styles.column} data-tab={tab ?? "none"}>
          <EditorForm
            key={key}
            draft={draft}
            isIdInUrl={isIdInUrl}
            isNew={tabs.isNew}
            isUnavailable={editor.isUnavailable}
            user={user}
            isReviewing={done === undefined ? editor.isReviewing : done === "review"}
            isJustPublished={editor.isJustPublished || done === "publish"}
            notKept={actionData?.notKept ?? editor.notKept}
            canUpload={props.canUpload}
            actionData={actionData}
            locale={locale}
            now={now}
            firebase={firebase}
            onOpened={setOpenId}
            onSaved={setSaved}
          />
          {preview ? <DraftPreview {...preview} /> : null}
        </div>
        <SidePanel {...tabs}>
          <div className={panel.room}>{children}</div>
          {isOwner && tab === "drafts" ? (
            <DraftList
              sidePanel={sidePanel.kind === "drafts" ? sidePanel : NO_DRAFTS}
              isNew={tabs.isNew}
              openId={draftId}
              saved={saved}
              locale={locale}
              now={now}
            />
          ) : null}
          {isOwner && tab === "versions" ? (
            <VersionList
              draft={editor.draft}
              sidePanel={sidePanel.kind === "versions" ? sidePanel : NO_VERSIONS}
              locale={locale}
              now={now}
            />
          ) : null}
        </SidePanel>
      </div>
    </>
  );
}

const NO_DRAFTS: DraftsPanel = { kind: "drafts", drafts: null, older: null };

/** The versions of a story that was never saved. */
const NO_VERSIONS: VersionsPanel = { kind: "versions", versions: [], version: null, changes: null };

/**
 * Returns the React key of the editor: one per draft in the URL, and one per new story. Without a draft in the URL, the
 * editor stays mounted when it adds its own draft's id to the URL, and when the loader, which proposes a new id each time,
 * runs again.
 */
function useEditorKey(draft: OpenDraft) {
  const [params] = useSearchParams();
  const address = params.get("draft") ?? (params.has(NEW_PARAM) ? NEW_PARAM : null);
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
  return { key: current.key, address, isIdInUrl: address === current.openId, setOpenId };
}

/**
 * Returns the draft for the editor after a form was submitted without scripts. Its revision is the one that the typed text
 * is based on or was saved as: with a later one, the next save would overwrite the text of another tab or device.
 */
function getDraftToEdit(draft: OpenDraft, actionData: EditorActionData | undefined): OpenDraft {
  if (!actionData?.typed) return draft;
  const { id, revision, isOngoing } = actionData.typed;
  if (actionData.result?.status !== "saved") {
    return { ...draft, id, revision, isOngoing, deletedAt: null };
  }
  const { revision: saved, updatedAt, storyId, publishedRevision } = actionData.result.draft;
  return { ...actionData.typed, revision: saved, updatedAt, storyId, publishedRevision };
}

/** Lower than any on-screen keyboard, and higher than a browser's bars. */
const MIN_HEIGHT = 120;

/**
 * Makes room for an on-screen keyboard. While one covers a part of the window, sets `data-keyboard` on the document,
 * which hides the bar at the bottom, and `--bar-bottom` to the height of the keyboard, so that tools at the bottom are
 * above it.
 */
function useKeyboardInset(): void {
  useEffect(() => {
    const { visualViewport: viewport } = window;
    if (!viewport) return undefined;
    const root = document.documentElement;
    const controller = new AbortController();

    function clear() {
      delete root.dataset.keyboard;
      root.style.removeProperty("--bar-bottom");
    }

    function update() {
      if (!viewport) return;
      const inset = window.innerHeight - viewport.height - viewport.offsetTop;
      // A zoomed page has a smaller viewport too.
      const isOpen = viewport.scale === 1 && window.innerHeight - viewport.height > MIN_HEIGHT;
      if (!isOpen) return clear();
      root.dataset.keyboard = "open";
      root.style.setProperty("--bar-bottom", `${Math.max(0, Math.round(inset))}px`);
    }

    update();
    const { signal } = controller;
    viewport.addEventListener("resize", update, { signal });
    viewport.addEventListener("scroll", update, { signal });
    return () => {
      controller.abort();
      clear();
    };
  }, []);
}

/** Shows above the editor that a part of the draft's text is missing. */
function DamagedDraft({ id }: { id: string }) {
  return (
    <DraftNotice title="Part of this draft's text is missing from your account.">
      The rest is below, and saving or publishing keeps only that. An earlier version may have all
      of it.
      <ButtonLink to={toCreatePath(id, "versions")} variant="quiet">
        Show versions
      </ButtonLink>
    </DraftNotice>
  );
}

/** Shows above the editor that the draft could not be loaded. */
export function UnavailableDraft({ id }: { id: string }) {
  return (
    <DraftNotice title="We can't load this draft right now.">
      Nothing was lost; try again in a moment. What you write here won't overwrite it.
      <ButtonLink to={`/create?draft=${id}`} variant="quiet" reloadDocument>
        Try again
      </ButtonLink>
    </DraftNotice>
  );
}

function DraftNotice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <MessageBanner
      severity="warn"
      className={styles.notice}
      hint={<div className={styles.hint}>{children}</div>}
    >
      {title}
    </MessageBanner>
  );
}

/** Shows that a draft was moved to the trash, with a button that restores it. Stays, so that everyone can reach it. */
function TrashNotice({ trashed }: { trashed: NonNullable<EditorData["trashed"]> }) {
  return (
    <MessageBanner
      isDismissable
      className={styles.trashed}
      hint={
        <Form method="post">
          <input type="hidden" name="id" value={trashed.id} />
          <input type="hidden" name="revision" value={trashed.revision} />
          <Button type="submit" variant="quiet" name="intent" value="restore">
            Undo
          </Button>
        </Form>
      }
    >
      Draft deleted.
    </MessageBanner>
  );
}
