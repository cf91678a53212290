import {
  Form,
  Link,
  useLocation,
  useNavigate,
  useNavigation,
  useRevalidator,
  useSearchParams,
} from "@remix-run/react";
import { useEffect, useRef, useState, type FormEvent } from "react";

import type { FirebaseConfig } from "#app/firebase/config.ts";
import type { User } from "#app/session/user.ts";
import type { Locale } from "#app/site/locale/locale.ts";
import { useStoredSwitch } from "#app/site/use-stored-switch.ts";
import { getReadingMinutes } from "#app/stories/story.ts";
import { announce } from "#app/ui/announcer.tsx";
import { Button } from "#app/ui/button.tsx";
import { useReplaceAddress } from "#app/ui/use-replace-address.ts";
import type { Autosave } from "#app/writing/autosave/autosave.ts";
import {
  areSameFields,
  readFields,
  toFields,
  type DraftFields,
} from "#app/writing/autosave/draft-fields.ts";
import { isLasting, type SaveIntent, type SaveStatus } from "#app/writing/autosave/state.ts";
import { useAutosave } from "#app/writing/autosave/use-autosave.ts";
import {
  findUnpublishable,
  findUnpublishableText,
  NO_TEXT,
  MAX_TITLE_LENGTH,
  type FieldError,
} from "#app/writing/draft.ts";
import type { EditorActionData, OpenDraft } from "#app/writing/editor-data.ts";
import { findSideTab, toCreatePath, type SideTab } from "#app/writing/side-tabs.ts";
import { ConflictChoice } from "./conflict-choice.tsx";
import type { EditorSave } from "./draft-list.tsx";
import styles from "./editor-form.module.css";
import { MoreMenu } from "./more-menu.tsx";
import { PreviewDialog, usePreview } from "./preview.tsx";
import { PUBLISH_TITLE_ID, PublishDialog } from "./publish-dialog.tsx";
import { PublishedDialog, usePublication } from "./published-dialog.tsx";
import { findSaveError, SaveErrorBanner, SaveIndicator } from "./save-status.tsx";
import { StoryField, useWordCount } from "./story-field.tsx";
import { ImportField, ImportNotice, StoryFiles } from "./story-files.tsx";
import { useDialog } from "./use-dialog.ts";
import { useRefreshAfterChange } from "./use-editor-data.ts";

/** The form's id, for buttons elsewhere on the page. */
export const EDITOR_FORM_ID = "editor";

/** The status of typed text that was not saved. */
const NOT_SAVED = { savedTo: "nowhere", savedAt: null } as const;

export interface EditorFormProps {
  draft: OpenDraft;
  /** Whether the URL contains the draft's id. */
  isIdInUrl: boolean;
  /** Whether the draft could not be read. It may exist, but `draft` is empty. */
  isUnavailable: boolean;
  /** The user whose local drafts are used, and whose name readers see. */
  user: User | null;
  /** Whether the URL opens a new story, instead of the last draft. */
  isNew: boolean;
  /** Whether the page opens the form to publish. */
  isReviewing: boolean;
  /** Whether the page is the response to a form that published the draft. */
  isJustPublished: boolean;
  /** What was not kept of the file that the draft was just imported from; else `null`. */
  notKept?: string[] | null;
  /** Whether this site stores pictures. */
  canUpload: boolean;
  /** The result of the last form that was submitted without scripts. */
  actionData: EditorActionData | undefined;
  locale: Locale;
  /** When the page was rendered, in milliseconds since the Unix epoch. */
  now: number;
  firebase: FirebaseConfig;
  /** Called when autosave has opened a draft, perhaps an unsaved one of this browser. Must be stable. */
  onOpened: (id: string) => void;
  /** Called when the draft was saved, here or elsewhere, and with `null` when there is a conflict. Must be stable. */
  onSaved: (save: EditorSave | null) => void;
}

/** The form of the editor. With scripts it saves automatically, without scripts the user submits it. */
export function EditorForm(props: EditorFormProps) {
  const { draft, user, actionData, locale, now, firebase, onOpened, onSaved } = props;
  const name = user?.displayName ?? null;
  const formRef = useRef<HTMLFormElement>(null);
  // Never changes: autosave writes later values into the form, and new defaults would replace untouched fields.
  const [initial] = useState(() => toFields(actionData?.typed ?? draft));
  const { search } = useLocation();
  const tab = findSideTab(new URLSearchParams(search));
  const [words, countWords] = useWordCount(initial.text);
  const count = ({ text }: DraftFields) => countWords(text);
  const { autosave, status, ownerUid, unsavedId } = useAutosave({
    formRef,
    draft,
    isUnavailable: props.isUnavailable,
    isRequested: props.isIdInUrl || props.isNew,
    uid: user?.uid,
    formUid: actionData?.typed?.uid,
    firebase,
    onReplaced: count,
  });
  const [isTypographic, setIsTypographic] = useStoredSwitch("inkglade.typography");
  const [isBusy, setIsBusy] = useState(false);
  const [missing, setMissing] = useState<FieldError>();
  const [opened, setOpened] = useState<string[] | null>(null);
  const publishDialog = useDialog();
  const preview = usePreview();
  const publication = usePublication(status, publishDialog, isBusy);
  const { revalidate } = useRevalidator();
  useDraftAddress(autosave, status, unsavedId, props.isIdInUrl, tab);
  useRefreshAfterChange(autosave, status, tab, now);

  const result = actionData?.result;
  const conflict =
    status.conflict ?? (result?.status === "conflict" && !autosave ? result.remote : null);
  const formError = result?.status === "error" && !status.error ? result : null;
  const posted = actionData?.typed;
  // Autosave saves the text of a form that was not saved, but never publishes it.
  const isSavedSince =
    formError !== null &&
    !isLasting(formError, "publish") &&
    posted &&
    !["publish", "unpublish"].includes(posted.intent) &&
    autosave?.hasUnsavedChanges === false;
  const actionError = isSavedSince ? null : formError;
  const typed = autosave?.fields ?? initial;
  const isOnlyTyped = !autosave && !areSameFields(initial, toFields(draft));

  const { close: closePublishDialog } = publishDialog;
  useEffect(() => {
    // The dialog would cover the choice, and nothing is published before it.
    if (status.conflict) closePublishDialog();
  }, [status.conflict, closePublishDialog]);

  useEffect(() => {
    if (autosave) onOpened(autosave.id);
  }, [autosave, onOpened]);

  useEffect(() => {
    const saved = autosave?.saved;
    if (status.conflict) onSaved(null);
    else if (saved) onSaved({ ...saved, id: autosave.id });
  }, [autosave, status, onSaved]);

  const address = toCreatePath(draft.revision > 0 ? draft.id : null, tab, props.isNew);
  const error = findSaveError(status) ?? actionError;
  const shown = missing ?? error;
  const textHint = shown?.field === "text" ? shown.hint : undefined;
  const isReviewing = props.isReviewing && !conflict && textHint === undefined;

  function onInput(form: HTMLFormElement) {
    const fields = readFields(new FormData(form));
    autosave?.change(fields);
    count(fields);
    setMissing(undefined);
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    if (!autosave) return;
    event.preventDefault();
    const { nativeEvent } = event;
    const submitter = nativeEvent instanceof SubmitEvent ? nativeEvent.submitter : null;
    const intent = submitter instanceof HTMLButtonElement ? submitter.value : "save";
    const isPublishing = intent === "publish";
    if (intent === "review") return review(autosave.fields);
    if (intent === "preview") return preview.open(event.currentTarget);
    const unpublishable = isPublishing ? findUnpublishable(autosave.fields) : undefined;
    if (unpublishable) return showMissing(unpublishable);
    const isFirst = status.revision === 0;
    setIsBusy(true);
    publication.onSave(isPublishing);
    const isSaved = await autosave.save(isIntent(intent) ? intent : "save");
    setIsBusy(false);
    // A publication opens a dialog, and an error is an alert.
    if (intent === "save" && autosave.saved) announce("Draft saved.");
    if (intent === "unpublish" && isSaved) {
      announce("Unpublished.");
      // The pressed button disappears.
      formRef.current?.querySelector<HTMLElement>("button[value=review]")?.focus();
    }
    // The first save already revalidates.
    if (isSaved && !isFirst) revalidate();
  }

  /** Opens the dialog that publishes, unless there is nothing to publish. */
  function review({ text }: DraftFields) {
    const unpublishable = findUnpublishableText(text);
    if (unpublishable) return showMissing(unpublishable);
    setMissing(undefined);
    publishDialog.open();
  }

  function showMissing(unpublishable: FieldError) {
    setMissing(unpublishable);
    if (unpublishable.field === "text") {
      publishDialog.close();
      return focusStory();
    }
    const title = formRef.current?.elements.namedItem(PUBLISH_TITLE_ID);
    if (title instanceof HTMLElement) title.focus();
  }

  async function overwriteRemote() {
    const saving = autosave?.overwriteRemote();
    focusStory();
    // Reloads the list of versions, which then contains the other text.
    if (await saving) revalidate();
  }

  async function replaceWithRemote() {
    if (!(await autosave?.replaceWithRemote())) return;
    focusStory();
    revalidate();
  }

  /** Moves the focus to the story, because the pressed button disappears with the conflict. */
  function focusStory() {
    const fields = "textarea[name=text]:not([hidden]), [data-story]";
    formRef.current?.querySelector<HTMLElement>(fields)?.focus();
  }

  const buttons = (
    <StoryButtons
      address={address}
      isPublished={status.publishedRevision !== null}
      storyId={status.storyId}
    />
  );

  return (
    <>
      <Form
        ref={formRef}
        id={EDITOR_FORM_ID}
        method="post"
        action={address}
        // URL encoding would triple the size of some long texts.
        encType="multipart/form-data"
        className={styles.form}
        data-reviewing={isReviewing || undefined}
        onInput={(event) => onInput(event.currentTarget)}
        onSubmit={(event) => void submit(event)}
      >
        {ownerUid ? <input type="hidden" name="uid" value={ownerUid} /> : null}
        <input type="hidden" name="id" value={autosave?.id ?? draft.id} />
        <input type="hidden" name="revision" value={status.revision} />
        {conflict && !autosave ? (
          // The user sees both texts on this page, so its buttons resolve the conflict.
          <input type="hidden" name="overwrite" value={conflict.revision} />
        ) : null}
        <div className={styles.bar}>
          <div className={styles.state}>
            <SaveIndicator
              status={isOnlyTyped ? { ...status, ...NOT_SAVED } : status}
              hasConflict={conflict !== null}
              locale={locale}
            />
            {/* Browsers and the server may segment Japanese or Thai differently. */}
            <p className={styles.count} suppressHydrationWarning>
              {describeLength(words)}
            </p>
          </div>
          <div className={styles.buttons}>{buttons}</div>
          <MoreMenu>
            <div className={styles.moreButtons}>{buttons}</div>
            <StoryFiles formRef={formRef} onOpened={setOpened} />
            {isTypographic === null ? null : (
              <Button
                variant="quiet"
                aria-pressed={isTypographic}
                onPress={() => setIsTypographic(!isTypographic)}
              >
                Curly quotes and dashes
              </Button>
            )}
            <Link to={toCreatePath(null, null, true)} className={styles.menuLink}>
              New story
            </Link>
          </MoreMenu>
          <Button type="submit" name="intent" value="review" isPending={isBusy}>
            {status.publishedRevision === null ? "Publish" : "Update"}
          </Button>
        </div>
        {/* Other errors are shown next to their field. */}
        {error && error.hint !== NO_TEXT.hint && !(isReviewing && error.field) ? (
          <SaveErrorBanner
            error={error.field === "text" ? { ...error, hint: undefined } : error}
            className={styles.banner}
          />
        ) : null}
        {conflict ? (
          <ConflictChoice
            remote={conflict}
            own={areSameFields(toFields(conflict), typed) ? null : typed}
            locale={locale}
            now={now}
            onOverwriteRemote={autosave ? () => void overwriteRemote() : undefined}
            onReplaceWithRemote={autosave ? () => void replaceWithRemote() : undefined}
          />
        ) : null}
        {/* The key makes a new banner for each file. */}
        {props.notKept || opened ? (
          <ImportNotice key={opened?.join("\n")} notKept={opened ?? props.notKept ?? []} />
        ) : null}
        <input
          className={styles.title}
          name="title"
          dir="auto"
          aria-label="Title"
          placeholder="Title"
          autoComplete="off"
          maxLength={MAX_TITLE_LENGTH}
          defaultValue={initial.title}
          aria-invalid={error?.field === "title" || undefined}
        />
        {textHint === undefined ? null : (
          <p className={styles.error} role="alert">
            {textHint}
          </p>
        )}
        <StoryField
          text={initial.text}
          isTypographic={isTypographic === true}
          canUpload={props.canUpload}
        />
        <ImportField canUpload={props.canUpload} />
        <PublishDialog
          dialog={publishDialog}
          isReviewing={isReviewing}
          draft={draft}
          initial={initial}
          name={ownerUid ? name : undefined}
          status={status}
          missing={missing}
          error={error}
          isBusy={isBusy}
          onClosed={() => autosave?.cancelPublication()}
        />
      </Form>
      <PreviewDialog
        preview={preview}
        title={autosave?.fields.title ?? initial.title}
        name={name}
      />
      <PublishedDialog
        key={publication.publishedRevision}
        isJustPublished={props.isJustPublished && draft.publishedRevision === draft.revision}
        publication={publication}
        title={autosave?.fields.title ?? draft.title}
        cover={autosave?.fields.cover ?? draft.cover ?? ""}
        name={name}
        draftId={draft.id}
        storyId={status.storyId}
      />
    </>
  );
}

interface StoryButtonsProps {
  address: string;
  isPublished: boolean;
  storyId: string | null;
}

/**
 * The buttons besides "Publish". The first one is the form's default button. With scripts, those with `data-in-menu` are
 * in the menu, and in narrow windows all of them.
 */
function StoryButtons({ address, isPublished, storyId }: StoryButtonsProps) {
  return (
    <>
      <Button
        type="submit"
        variant="quiet"
        name="intent"
        value="save"
        data-in-menu={isPublished || undefined}
      >
        Save draft
      </Button>
      <Button
        type="submit"
        variant="quiet"
        name="intent"
        value="preview"
        formAction={`${address}#preview`}
      >
        Preview
      </Button>
      {isPublished ? (
        <>
          {/* Asks before it unpublishes, even without scripts. */}
          <details className={styles.unpublish}>
            <summary>Unpublish</summary>
            <div>
              <p>Its address will say that you withdrew it. Your draft stays.</p>
              <Button type="submit" variant="danger" name="intent" value="unpublish">
                Yes, unpublish it
              </Button>
            </div>
          </details>
          <Link to={`/read/${storyId ?? ""}`} className={styles.menuLink} data-in-menu>
            Read story
          </Link>
        </>
      ) : null}
    </>
  );
}

/**
 * Adds the draft's id to the URL as soon as there is any text, so that a reload finds it. Opens the story that was never
 * saved instead, if there is one.
 */
function useDraftAddress(
  autosave: Autosave | undefined,
  status: SaveStatus,
  unsavedId: string | null,
  isIdInUrl: boolean,
  tab: SideTab | null,
) {
  const navigate = useNavigate();
  const replaceAddress = useReplaceAddress();
  const { state: navigation } = useNavigation();
  const { state: revalidation } = useRevalidator();
  // Replacing the URL would cancel a running navigation or revalidation.
  const isIdle = navigation === "idle" && revalidation === "idle";
  const [params] = useSearchParams();
  // After a deletion, the URL makes the page offer to undo it.
  const isKept = params.has("trashed") && !status.isChanged;
  const isStarted = !isKept && (status.isChanged || status.revision > 0);
  // A draft in which the user writes stays open.
  const otherId = status.isChanged ? null : unsavedId;

  useEffect(() => {
    if (!autosave || isIdInUrl || !isStarted || !isIdle) return;
    if (otherId === null) replaceAddress(toCreatePath(autosave.id, tab));
    else navigate(toCreatePath(otherId, tab), { replace: true });
  }, [autosave, otherId, isIdInUrl, isStarted, isIdle, replaceAddress, navigate, tab]);
}

function describeLength(words: number): string {
  const count = `${words.toLocaleString("en")} ${words === 1 ? "word" : "words"}`;
  return words === 0 ? count : `${count} · ${getReadingMinutes(words)} min`;
}

function isIntent(value: string): value is SaveIntent {
  return value === "save" || value === "publish" || value === "unpublish";
}
