import { Form, Link, useNavigation, useRevalidator } from "@remix-run/react";
import { useEffect, useRef, useState, type FormEvent } from "react";

import { ANONYMOUS, getPublicName } from "#app/chat/message.ts";
import type { FirebaseConfig } from "#app/firebase/config.ts";
import type { Locale } from "#app/site/locale/locale.ts";
import { minutesToRead } from "#app/stories/reading-time.ts";
import { Button } from "#app/ui/button.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import { useReplaceAddress } from "#app/ui/use-replace-address.ts";
import type { Autosave } from "#app/writing/autosave/autosave.ts";
import {
  areSameFields,
  readFields,
  toFields,
  type DraftFields,
} from "#app/writing/autosave/draft-fields.ts";
import type { SaveIntent, SaveStatus } from "#app/writing/autosave/state.ts";
import { useAutosave } from "#app/writing/autosave/use-autosave.ts";
import { MAX_TITLE_LENGTH } from "#app/writing/draft.ts";
import type { EditorActionData, OpenDraft, SaveError } from "#app/writing/editor-data.ts";
import { ConflictChoice } from "./conflict-choice.tsx";
import type { EditorSave } from "./draft-list.tsx";
import styles from "./editor-form.module.css";
import { SaveIndicator } from "./save-indicator.tsx";
import { StoryField } from "./story-field.tsx";
import { StoryFiles } from "./story-files.tsx";
import { useWordCount } from "./use-word-count.ts";

/** The form's id, for buttons elsewhere on the page. */
export const EDITOR_FORM = "editor";

/** The status of typed text that was not saved. */
const NOT_SAVED = { savedTo: "nowhere", savedAt: null } as const;

export interface EditorFormProps {
  draft: OpenDraft;
  /** Whether the URL contains the draft's id. */
  isIdInUrl: boolean;
  /** Whether the draft could not be read. It may exist, but `draft` is empty. */
  isUnavailable: boolean;
  /** The user whose local drafts are used. */
  uid: string | undefined;
  /** The display name that readers see. */
  name: string | null;
  /** Whether the page is the response to a form that published the draft. */
  isJustPublished: boolean;
  /** The response to the last form that was submitted without scripts. */
  reply: EditorActionData | undefined;
  locale: Locale;
  /** When the page was rendered, in milliseconds since the Unix epoch. */
  now: number;
  firebase: FirebaseConfig;
  /** Called when autosave has opened a draft, perhaps an unsaved one of this browser. Must be stable. */
  onOpened: (id: string) => void;
  /** Called when the draft was saved, here or elsewhere. Must be stable. */
  onSaved: (save: EditorSave) => void;
}

/** The form of the editor. With scripts it saves by itself, without scripts the user submits it. */
export function EditorForm(props: EditorFormProps) {
  const { draft, uid, name, reply, locale, now, firebase, onOpened, onSaved } = props;
  const formRef = useRef<HTMLFormElement>(null);
  // Never changes: autosave writes later values into the form, and new defaults would replace untouched fields.
  const [initial] = useState(() => toFields(reply?.typed ?? draft));
  const [words, countWords] = useWordCount(initial.text);
  const count = ({ text }: DraftFields) => countWords(text);
  const { autosave, status, ownerUid } = useAutosave({
    formRef,
    draft,
    isUnavailable: props.isUnavailable,
    isIdInUrl: props.isIdInUrl,
    uid,
    firebase,
    onReplaced: count,
  });
  const [isBusy, setIsBusy] = useState(false);
  const isPublished = props.isJustPublished && draft.publishedRevision === draft.revision;
  // Shown until the user types or presses a button.
  const [announced, setAnnounced] = useState(isPublished ? draft.publishedRevision : null);
  const { revalidate } = useRevalidator();
  useDraftAddress(autosave, status, props.isIdInUrl);
  useRefreshAfterChange(autosave, status);

  const answer = reply?.reply;
  const conflict =
    status.conflict ?? (answer?.status === "conflict" && !autosave ? answer.theirs : null);
  const replyError = answer?.status === "error" && !status.error ? answer : null;
  const isOnlyTyped = !autosave && !areSameFields(initial, toFields(draft));

  useEffect(() => {
    if (autosave) onOpened(autosave.id);
  }, [autosave, onOpened]);

  useEffect(() => {
    const saved = autosave?.saved;
    if (saved) onSaved({ ...saved, id: autosave.id });
  }, [autosave, status, onSaved]);

  const address = draft.revision > 0 ? `/create?draft=${draft.id}` : "/create";

  function onInput(form: HTMLFormElement) {
    const fields = readFields(new FormData(form));
    autosave?.change(fields);
    count(fields);
    setAnnounced(null);
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    if (!autosave) return;
    event.preventDefault();
    const { nativeEvent } = event;
    const submitter = nativeEvent instanceof SubmitEvent ? nativeEvent.submitter : null;
    const intent = submitter instanceof HTMLButtonElement ? submitter.value : "save";
    const isFirst = status.revision === 0;
    setIsBusy(true);
    setAnnounced(null);
    const isSaved = await autosave.save(isIntent(intent) ? intent : "save");
    setIsBusy(false);
    if (isSaved && intent === "publish") setAnnounced(autosave.getStatus().publishedRevision);
    // The first save already revalidates. After a failure, revalidating might replace the page by an error.
    if (isSaved && !isFirst) revalidate();
  }

  async function keepLocal() {
    const saving = autosave?.keepLocal();
    focusStory();
    // Shows the other text in the list of versions.
    if (await saving) revalidate();
  }

  async function useRemote() {
    if (!(await autosave?.useRemote())) return;
    focusStory();
    revalidate();
  }

  /** The pressed button disappears with the conflict. */
  function focusStory() {
    const fields = "textarea[name=text]:not([hidden]), [data-story]";
    formRef.current?.querySelector<HTMLElement>(fields)?.focus();
  }

  return (
    <Form
      ref={formRef}
      id={EDITOR_FORM}
      method="post"
      action={address}
      // URL encoding would triple the size of some long texts.
      encType="multipart/form-data"
      className={styles.form}
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
      {replyError ? <SaveErrorBanner error={replyError} className={styles.banner} /> : null}
      {conflict ? (
        <ConflictChoice
          theirs={conflict}
          isDifferent={!areSameFields(toFields(conflict), autosave?.fields ?? initial)}
          locale={locale}
          now={now}
          onKeepLocal={autosave ? () => void keepLocal() : undefined}
          onUseRemote={autosave ? () => void useRemote() : undefined}
        />
      ) : null}
      <input
        className={styles.title}
        name="title"
        aria-label="Title"
        placeholder="Title"
        autoComplete="off"
        maxLength={MAX_TITLE_LENGTH}
        defaultValue={initial.title}
      />
      <StoryField defaultValue={initial.text} />
      <details className={styles.about}>
        <summary>About the story</summary>
        <div className={styles.fields}>
          <TextField label="Description" name="description" defaultValue={initial.description} />
          <TextField
            label="Tags"
            name="tags"
            description="Up to 10, separated by commas"
            defaultValue={initial.tags}
          />
          <TextField
            label="Cover"
            name="cover"
            type="url"
            description="A link to a picture, beginning with https://. We'll draw one if you leave this empty."
            defaultValue={initial.cover}
          />
          <StoryFiles formRef={formRef} />
        </div>
      </details>
      <div className={styles.footer}>
        {/* Next to the buttons, where the user is looking. */}
        {status.error ? <SaveErrorBanner error={status.error} className={styles.message} /> : null}
        {announced !== null && announced === status.publishedRevision ? (
          <div id="published" className={styles.message}>
            <MessageBanner severity="success">
              Published as {getPublicName(name)}. Everyone can read it now.
            </MessageBanner>
          </div>
        ) : null}
        <SaveIndicator
          status={isOnlyTyped ? { ...status, ...NOT_SAVED } : status}
          locale={locale}
        />
        {/* Browsers and the server may segment Japanese or Thai differently. */}
        <p className={styles.count} suppressHydrationWarning>
          {describeLength(words)}
        </p>
        {ownerUid && getPublicName(name) === ANONYMOUS ? (
          <p className={styles.author}>
            You have no display name, so readers will see “{ANONYMOUS}”.{" "}
            <Link to="/profile">Add your name</Link>
          </p>
        ) : null}
        <div className={styles.buttons}>
          <Button type="submit" variant="quiet" name="intent" value="save">
            Save draft
          </Button>
          <Button
            type="submit"
            variant="quiet"
            name="intent"
            value="preview"
            formAction={`${address}#preview`}
            className={styles.preview}
          >
            Preview
          </Button>
          <Button type="submit" name="intent" value="publish" isPending={isBusy}>
            {status.publishedRevision === null ? "Publish" : "Update"}
          </Button>
          {status.publishedRevision === null ? null : (
            <>
              <Button type="submit" variant="quiet" name="intent" value="unpublish">
                Unpublish
              </Button>
              <Link to={`/read/${status.storyId ?? ""}`}>Read story</Link>
            </>
          )}
        </div>
      </div>
    </Form>
  );
}

/** Adds the draft's id to the URL as soon as there is any text, so that a reload finds it. */
function useDraftAddress(autosave: Autosave | undefined, status: SaveStatus, isIdInUrl: boolean) {
  const replaceAddress = useReplaceAddress();
  const { state: navigation } = useNavigation();
  const { state: revalidation } = useRevalidator();
  // Replacing the URL would cancel a running navigation or revalidation.
  const isIdle = navigation === "idle" && revalidation === "idle";
  const isStarted = status.isChanged || status.revision > 0;

  useEffect(() => {
    if (!autosave || isIdInUrl || !isStarted || !isIdle) return;
    replaceAddress(`/create?${new URLSearchParams({ draft: autosave.id })}`);
  }, [autosave, isIdInUrl, isStarted, isIdle, replaceAddress]);
}

/** Refreshes the side panel when the draft is saved for the first time, moved to the trash or restored. */
function useRefreshAfterChange(autosave: Autosave | undefined, { revision, conflict }: SaveStatus) {
  const { revalidate } = useRevalidator();
  const isSaved = revision > 0;
  const isTrashed = conflict !== null && conflict.deletedAt !== null;
  const before = useRef<{ isSaved: boolean; isTrashed: boolean }>();

  useEffect(() => {
    if (!autosave) return;
    const last = before.current;
    before.current = { isSaved, isTrashed };
    if (last && (last.isSaved !== isSaved || last.isTrashed !== isTrashed)) revalidate();
    // oxlint-disable-next-line react/exhaustive-deps -- `revalidate` changes with each page
  }, [autosave, isSaved, isTrashed]);
}

function SaveErrorBanner({ error, className }: { error: SaveError; className?: string }) {
  return (
    <MessageBanner severity="error" hint={error.hint} className={className}>
      {error.message}
    </MessageBanner>
  );
}

function describeLength(words: number): string {
  const count = `${words.toLocaleString("en")} ${words === 1 ? "word" : "words"}`;
  return words === 0 ? count : `${count} · ${minutesToRead(words)} min`;
}

function isIntent(value: string): value is SaveIntent {
  return value === "save" || value === "publish" || value === "unpublish";
}
