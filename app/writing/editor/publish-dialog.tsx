import { Link, useRouteLoaderData, useSearchParams } from "@remix-run/react";
import { useEffect, useId, useState, type FormEvent } from "react";
import { flushSync } from "react-dom";

import { ANONYMOUS, getPublicName } from "#app/chat/message.ts";
import { PICTURE_PATH } from "#app/http/picture-path.ts";
import type { ActionError } from "#app/session/action-result.ts";
import { Cover } from "#app/stories/cover/cover.tsx";
import { DRAWING, readDrawing } from "#app/stories/cover/drawing.ts";
import { findHtmlTag } from "#app/stories/html-tags.ts";
import { ENGLISH, LANGUAGES } from "#app/stories/languages.ts";
import { Bdi } from "#app/ui/bdi.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { FieldErrors } from "#app/ui/field-errors.tsx";
import { useHydrated } from "#app/ui/hydration.ts";
import { IconButton } from "#app/ui/icon-button.tsx";
import { useTypedText } from "#app/ui/text-area.ts";
import { TextField } from "#app/ui/text-field.tsx";
import input from "#app/ui/text-input.module.css";
import { useReplaceAddress } from "#app/ui/use-replace-address.ts";
import { readFields, setFieldValue, type DraftFields } from "#app/writing/autosave/draft-fields.ts";
import type { SaveStatus } from "#app/writing/autosave/state.ts";
import { MAX_DESCRIPTION_LENGTH, MAX_TITLE_LENGTH, type FieldError } from "#app/writing/draft.ts";
import type { OpenDraft } from "#app/writing/editor-data.ts";
import { REVIEW_PARAM, toCreatePath } from "#app/writing/side-tabs.ts";
import { CoverUpload } from "./cover-upload.tsx";
import styles from "./publish-dialog.module.css";
import { SaveErrorBanner } from "./save-status.tsx";
import { TagsField } from "./tags-field.tsx";
import type { DialogControl } from "./use-dialog.ts";

export interface PublishDialogProps {
  dialog: DialogControl;
  /** Whether the server renders it open. */
  isReviewing: boolean;
  draft: OpenDraft;
  initial: DraftFields;
  /** The display name; `undefined` while nobody is signed in. */
  name: string | null | undefined;
  status: SaveStatus;
  /** The field to fill in first. */
  missing: FieldError | undefined;
  error: ActionError | null;
  isBusy: boolean;
  /** Called when it was closed, by the user or after the publication. */
  onClosed: () => void;
}

/** The id of the dialog's title field, which copies its value to the title field of the page. */
export const PUBLISH_TITLE_ID = "publish-title";

/** The id of the field with the cover. */
const PUBLISH_COVER_ID = "publish-cover";

/** The part of the editor's form with everything that readers see besides the text, and the button that publishes. */
export function PublishDialog(props: PublishDialogProps) {
  const { dialog, draft, initial, name, status, missing, error, isBusy } = props;
  const { revision, publishedRevision, storyId } = status;
  const isPublished = publishedRevision !== null;
  // A later value would open or close the element without the browser's modal state.
  const [isOpenAtFirst] = useState(props.isReviewing);
  const headingId = useId();
  const [params] = useSearchParams();
  const replaceAddress = useReplaceAddress();
  const [shown, setShown] = useState(initial);
  const isHydrated = useHydrated();
  const canUpload = useRouteLoaderData<{ canUpload: boolean }>("routes/create")?.canUpload;
  const [isPictureWanted, setIsPictureWanted] = useState(false);
  const isPicture = isPictureWanted || (shown.cover !== "" && !DRAWING.test(shown.cover));
  const wrong = missing ?? error;
  const getErrors = (field: FieldError["field"]) =>
    wrong?.field === field && wrong.hint !== undefined ? [wrong.hint] : [];
  const publicName = getPublicName(name ?? null);
  const htmlTag = findHtmlTag(shown.text);

  const { ref: dialogRef, isOpen } = dialog;
  useEffect(() => {
    const form = dialogRef.current?.closest("form");
    if (!form || !isOpen) return;
    const fields = readFields(new FormData(form));
    setShown(fields);
    const title = form.elements.namedItem(PUBLISH_TITLE_ID);
    // Assigning even the same value moves the caret to the end.
    if (title instanceof HTMLInputElement && title.value !== fields.title)
      title.value = fields.title;
    // Another tab or device may have saved other fields, which are in the form then.
  }, [dialogRef, isOpen, revision]);

  /** Sets the field with the cover's link, or with the number of its drawing. */
  function chooseCover(cover: string) {
    const field = document.getElementById(PUBLISH_COVER_ID);
    if (field instanceof HTMLInputElement) setFieldValue(field, cover);
    setIsPictureWanted(false);
  }

  function choosePicture() {
    chooseCover("");
    // Shows the field before it gets the focus.
    flushSync(() => setIsPictureWanted(true));
    document.getElementById(PUBLISH_COVER_ID)?.focus();
  }

  function onInput({ target }: FormEvent) {
    if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return;
    const { form, id, value } = target;
    if (!form) return;
    // The page has a title field too, and only that field is sent.
    const title = form.elements.namedItem("title");
    if (id === PUBLISH_TITLE_ID && title instanceof HTMLInputElement) title.value = value;
    setShown(readFields(new FormData(form)));
  }

  return (
    <dialog
      ref={dialogRef}
      id="publish"
      className={styles.dialog}
      open={isOpenAtFirst}
      aria-labelledby={headingId}
      onInput={onInput}
      onClose={({ currentTarget }) => {
        // Opening it over the page closes it first.
        if (!currentTarget.open) props.onClosed();
        // Changes the address, so that a reload shows the editor.
        if (params.has(REVIEW_PARAM)) replaceAddress(toCreatePath(draft.id, null));
      }}
    >
      <div className={styles.sheet}>
        <div className={styles.header}>
          <h2 id={headingId}>{isPublished ? "Update" : "Publish"}</h2>
          <IconButton
            icon="close"
            label="Close"
            className={styles.scripted}
            onClick={dialog.close}
          />
        </div>
        <div className={styles.body}>
          <div className={styles.cover}>
            {storyId !== null || shown.cover ? (
              <Cover
                key={shown.cover}
                id={storyId ?? draft.id}
                title={shown.title}
                src={isShowable(shown.cover) ? shown.cover : ""}
              />
            ) : (
              <p className={styles.noCover}>We'll draw a cover.</p>
            )}
            <div className={styles.coverChoice}>
              <Button
                variant="quiet"
                className={styles.choice}
                onPress={() => chooseCover(toNextDrawing(shown.cover))}
              >
                Try another drawing
              </Button>
              {isPicture ? null : (
                <Button variant="quiet" className={styles.choice} onPress={choosePicture}>
                  Use a picture
                </Button>
              )}
            </div>
          </div>
          <div className={styles.fields}>
            {isOpen && error && error.field === undefined ? (
              <SaveErrorBanner error={error} />
            ) : null}
            {isOpen ? (
              <TextField
                label="Title"
                id={PUBLISH_TITLE_ID}
                autoComplete="off"
                maxLength={MAX_TITLE_LENGTH}
                errors={getErrors("title")}
              />
            ) : (
              // Without scripts, the user edits the title in the page's own field.
              <FieldErrors id="title-errors" errors={getErrors("title")} />
            )}
            {name === undefined ? null : (
              <div className={styles.author}>
                <p className={styles.label}>Writer's name</p>
                {publicName === ANONYMOUS ? (
                  <p>
                    You have no display name, so readers will see “{ANONYMOUS}”.{" "}
                    <Link to="/profile">Add your name</Link>
                  </p>
                ) : (
                  <p>
                    <Bdi>{publicName}</Bdi> · <Link to="/profile">Change</Link>
                  </p>
                )}
              </div>
            )}
            <Description value={initial.description} errors={getErrors("description")} />
            <TagsField defaultValue={initial.tags} errors={getErrors("tags")} />
            <LanguageField value={initial.language} />
            <div hidden={isHydrated && !isPicture}>
              {canUpload ? (
                <CoverUpload
                  isHydrated={isHydrated}
                  onUploaded={(path) => {
                    chooseCover(path);
                    setIsPictureWanted(true);
                  }}
                />
              ) : null}
              <TextField
                label="Cover"
                id={PUBLISH_COVER_ID}
                name="cover"
                inputMode="url"
                description="A link to a picture, beginning with https://. We'll draw one if you leave this empty."
                defaultValue={initial.cover}
                errors={getErrors("cover")}
              />
            </div>
            <label className={styles.ongoing}>
              <input
                // Another tab or device may have published it with another choice.
                key={publishedRevision}
                type="checkbox"
                name="isOngoing"
                value="true"
                defaultChecked={status.isOngoing}
              />
              This story is still being written
            </label>
            {htmlTag === undefined ? null : (
              <p className={styles.note}>
                Readers won't see HTML tags like <code>{htmlTag.slice(0, 40)}</code>, only the words
                between them.
              </p>
            )}
          </div>
        </div>
        <div className={styles.footer}>
          <p className={styles.note}>
            {isPublished
              ? "Readers see your changes at once. A new chapter is marked as new."
              : "Anyone can read it. You can unpublish at any time and keep the draft."}
          </p>
          <Button variant="quiet" className={styles.scripted} onPress={dialog.close}>
            Cancel
          </Button>
          <ButtonLink variant="quiet" className={styles.plain} to={toCreatePath(draft.id, null)}>
            Cancel
          </ButtonLink>
          <Button
            type="submit"
            name="intent"
            value="publish"
            isPending={isBusy}
            formAction={`${toCreatePath(draft.id, null)}&${REVIEW_PARAM}`}
          >
            {isPublished ? "Update" : "Publish"}
          </Button>
        </div>
      </div>
    </dialog>
  );
}

function LanguageField({ value = ENGLISH }: { value: string | undefined }) {
  return (
    <div>
      <p className={styles.label}>
        <label htmlFor="publish-language">Language of the story</label>
      </p>
      <select
        id="publish-language"
        className={input.input}
        name="language"
        defaultValue={value}
        autoComplete="off"
      >
        {LANGUAGES.map(([tag, name]) => (
          <option key={tag} value={tag} lang={tag}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}

function Description({ value, errors }: { value: string; errors: string[] }) {
  const defaultValue = useTypedText("#publish-description", value);
  return (
    <div className={styles.description} data-invalid={errors.length > 0 || undefined}>
      <label htmlFor="publish-description">Description</label>
      <textarea
        id="publish-description"
        name="description"
        dir="auto"
        rows={3}
        maxLength={MAX_DESCRIPTION_LENGTH}
        autoComplete="off"
        defaultValue={defaultValue}
        aria-invalid={errors.length > 0 || undefined}
        aria-describedby={errors.length > 0 ? "publish-description-errors" : undefined}
      />
      <FieldErrors id="publish-description-errors" errors={errors} />
    </div>
  );
}

function isShowable(cover: string): boolean {
  return DRAWING.test(cover) || PICTURE_PATH.test(cover) || /^https:\/\/./.test(cover);
}

/** Each of 6 motifs in each of 12 palettes. */
const DRAWING_COUNT = 72;

/** Has no divisor in common with the count, so that every drawing is shown before one repeats. */
const DRAWING_STEP = 13;

/** Returns the cover with the drawing after this one, which differs in colour and motif. */
function toNextDrawing(cover: string): string {
  const number = readDrawing(cover) ?? Math.floor(Math.random() * DRAWING_COUNT);
  return `drawing:${(number + DRAWING_STEP) % DRAWING_COUNT}`;
}
