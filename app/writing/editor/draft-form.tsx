import { Form, Link, useNavigate, useRevalidator } from "@remix-run/react";
import { useEffect, useRef, useState, type FormEvent } from "react";

import { ANONYMOUS, fitName } from "#app/chat/message.ts";
import type { FirebaseConfig } from "#app/firebase/config.ts";
import type { Clock } from "#app/site/locale/locale.ts";
import { minutesToRead } from "#app/stories/reading-time.ts";
import { Button } from "#app/ui/button.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import type { DraftIntent } from "#app/writing/autosave/post-draft.ts";
import { useDraftKeeper } from "#app/writing/autosave/use-autosave.ts";
import { MAX_TITLE_LENGTH } from "#app/writing/draft.ts";
import type { DeskReply, DraftRefusal, OpenDraft } from "#app/writing/editor-data.ts";
import { ConflictChoice } from "./conflict-choice.tsx";
import { areSame, readFields, toFields, type DraftFields } from "./draft-fields.ts";
import styles from "./draft-form.module.css";
import type { OpenSave } from "./draft-list.tsx";
import { SaveState } from "./save-state.tsx";
import { StoryField } from "./story-field.tsx";
import { StoryFiles } from "./story-files.tsx";
import { useWordCount } from "./use-word-count.ts";

/** The form's id, for keys that stand elsewhere on the page. */
export const MANUSCRIPT_FORM = "manuscript";

/** Where words are that only came back with the page. */
const NOWHERE = { place: "nowhere", at: null } as const;

/** Which draft an editor goes on with: the device may have begun another than the page. */
export interface OpenedDraft {
  id: string;
}

export interface ManuscriptFormProps {
  draft: OpenDraft;
  /** There may be a draft, which the page could not read: nothing of it is in `draft`. */
  isUnreachable: boolean;
  /** Whose copies on this device count. */
  uid: string | undefined;
  /** The user's display name, which readers see. */
  name: string | null;
  /** Whether the page answers a form that has published the draft. */
  isJustPublished: boolean;
  /** What came back of the last submit, on a page without scripts. */
  reply: DeskReply | undefined;
  clock: Clock;
  /** When the page was made, in milliseconds since the Unix epoch. */
  now: number;
  firebase: FirebaseConfig;
  /** Scripts have taken over the form. The same at every render. */
  onOpened: (draft: OpenedDraft) => void;
  /** The draft has been saved, here or elsewhere. The same at every render. */
  onSaved: (save: OpenSave) => void;
}

/** Where a story is written: a form like any other, which saves by itself once scripts run. */
export function ManuscriptForm(props: ManuscriptFormProps) {
  const { draft, uid, name, reply, clock, now, firebase, onOpened, onSaved } = props;
  const formRef = useRef<HTMLFormElement>(null);
  const shown = toFields(reply?.typed ?? draft);
  const [words, countWords] = useWordCount(shown.text);
  const count = ({ text }: DraftFields) => countWords(text);
  const { keeper, kept, writer, write } = useDraftKeeper({
    formRef,
    draft,
    isUnreachable: props.isUnreachable,
    uid,
    firebase,
    onWritten: count,
  });
  const [isBusy, setIsBusy] = useState(false);
  // What is said of a publication holds for that one, until something is written or pressed.
  const isPublished = props.isJustPublished && draft.publishedRevision === draft.revision;
  const [saidOf, setSaidOf] = useState(isPublished ? draft.publishedRevision : null);
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();

  const answer = reply?.reply;
  const conflict =
    kept.conflict ?? (answer?.status === "conflict" && !keeper ? answer.theirs : null);
  const returned = answer?.status === "refused" && !kept.refusal ? answer : null;
  const isOnlyTyped = !keeper && !areSame(shown, toFields(draft));

  useEffect(() => {
    // The address names the draft as soon as the account has it.
    if (!keeper || draft.revision > 0 || kept.revision === 0) return;
    const saved = `/create?${new URLSearchParams({ draft: keeper.id })}`;
    navigate(saved, { replace: true, preventScrollReset: true });
  }, [keeper, draft.revision, kept.revision, navigate]);

  useEffect(() => {
    if (keeper) onOpened({ id: keeper.id });
  }, [keeper, onOpened]);

  useEffect(() => {
    const saved = keeper?.saved;
    if (saved) onSaved({ ...saved, id: keeper.id });
  }, [keeper, kept, onSaved]);

  const isDeleted = kept.conflict !== null && kept.conflict.deletedAt !== null;
  useEffect(() => {
    // The list no longer has it, or has it again.
    if (keeper) revalidate();
    // oxlint-disable-next-line react/exhaustive-deps -- only when that changes
  }, [isDeleted]);

  const address = draft.revision > 0 ? `/create?draft=${draft.id}` : "/create";

  function note(form: HTMLFormElement) {
    const fields = readFields(new FormData(form));
    keeper?.note(fields);
    count(fields);
    setSaidOf(null);
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    if (!keeper) return;
    event.preventDefault();
    const { nativeEvent } = event;
    const submitter = nativeEvent instanceof SubmitEvent ? nativeEvent.submitter : null;
    const intent = submitter instanceof HTMLButtonElement ? submitter.value : "save";
    setIsBusy(true);
    setSaidOf(null);
    const isSaved = await keeper.send(isIntent(intent) ? intent : "save");
    setIsBusy(false);
    if (isSaved && intent === "publish") setSaidOf(keeper.get().publishedRevision);
    // The lists below show what has become of it. Where it failed, asking for them would lead away from the words.
    if (isSaved && draft.revision > 0) revalidate();
  }

  async function keepMine() {
    const saving = keeper?.keepMine();
    focusStory();
    // The text that was not chosen is listed among the versions.
    if (await saving) revalidate();
  }

  async function takeTheirs() {
    const fields = await keeper?.takeTheirs();
    if (!fields) return;
    write(fields);
    focusStory();
    revalidate();
  }

  /** The key that was pressed goes away with the choice. */
  function focusStory() {
    const fields = "textarea[name=text]:not([hidden]), [data-story]";
    formRef.current?.querySelector<HTMLElement>(fields)?.focus();
  }

  return (
    <Form
      ref={formRef}
      id={MANUSCRIPT_FORM}
      method="post"
      action={address}
      // Long texts would grow threefold as an address-like form.
      encType="multipart/form-data"
      className={styles.form}
      onInput={(event) => note(event.currentTarget)}
      onSubmit={(event) => void submit(event)}
    >
      {writer ? <input type="hidden" name="uid" value={writer} /> : null}
      <input type="hidden" name="id" value={keeper?.id ?? draft.id} />
      <input type="hidden" name="revision" value={kept.revision} />
      {conflict && !keeper ? (
        // The user who submits this page has seen both texts, and decides with the button pressed.
        <input type="hidden" name="overwrite" value={conflict.revision} />
      ) : null}
      {returned ? <RefusalBanner refusal={returned} className={styles.banner} /> : null}
      {conflict ? (
        <ConflictChoice
          theirs={conflict}
          isOther={!areSame(toFields(conflict), keeper?.fields ?? shown)}
          clock={clock}
          now={now}
          onKeepMine={keeper ? () => void keepMine() : undefined}
          onTakeTheirs={keeper ? () => void takeTheirs() : undefined}
        />
      ) : null}
      <input
        className={styles.title}
        name="title"
        aria-label="Title"
        placeholder="Title"
        autoComplete="off"
        maxLength={MAX_TITLE_LENGTH}
        defaultValue={shown.title}
      />
      <StoryField defaultValue={shown.text} />
      <details className={styles.about}>
        <summary>About the story</summary>
        <div className={styles.fields}>
          <TextField label="Description" name="description" defaultValue={shown.description} />
          <TextField
            label="Tags"
            name="tags"
            description="Up to 10, separated by commas"
            defaultValue={shown.tags}
          />
          <TextField
            label="Cover"
            name="cover"
            type="url"
            description="A link to a picture, beginning with https://. We'll draw one if you leave this empty."
            defaultValue={shown.cover}
          />
          <StoryFiles formRef={formRef} />
        </div>
      </details>
      <div className={styles.foot}>
        {/* By the keys, which whoever pressed one is looking at. */}
        {kept.refusal ? <RefusalBanner refusal={kept.refusal} className={styles.refusal} /> : null}
        {saidOf !== null && saidOf === kept.publishedRevision ? (
          <div id="published" className={styles.refusal}>
            <MessageBanner severity="success">
              Published as {fitName(name)}. Everyone can read it now.
            </MessageBanner>
          </div>
        ) : null}
        <SaveState kept={isOnlyTyped ? { ...kept, ...NOWHERE } : kept} clock={clock} />
        {/* Browsers may know words of Japanese or Thai a little differently than the server. */}
        <p className={styles.count} suppressHydrationWarning>
          {describeLength(words)}
        </p>
        {writer && fitName(name) === ANONYMOUS ? (
          <p className={styles.author}>
            You have no display name, so readers will see “{ANONYMOUS}”.{" "}
            <Link to="/profile">Add your name</Link>
          </p>
        ) : null}
        <div className={styles.keys}>
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
            {kept.publishedRevision === null ? "Publish" : "Update"}
          </Button>
          {kept.publishedRevision === null ? null : (
            <>
              <Button type="submit" variant="quiet" name="intent" value="unpublish">
                Unpublish
              </Button>
              <Link to={`/read/${kept.storyId ?? ""}`}>Read story</Link>
            </>
          )}
        </div>
      </div>
    </Form>
  );
}

function RefusalBanner({ refusal, className }: { refusal: DraftRefusal; className?: string }) {
  return (
    <MessageBanner severity="error" hint={refusal.hint} className={className}>
      {refusal.message}
    </MessageBanner>
  );
}

function describeLength(words: number): string {
  const count = `${words.toLocaleString("en")} ${words === 1 ? "word" : "words"}`;
  return words === 0 ? count : `${count} · ${minutesToRead(words)} min`;
}

function isIntent(value: string): value is DraftIntent {
  return value === "save" || value === "publish" || value === "unpublish";
}
