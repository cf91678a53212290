import { useFetcher } from "@remix-run/react";
import { useId } from "react";

import { getPublicName } from "#app/chat/message.ts";
import story from "#app/reading/reader/story-text.module.css";
import { isOffline, offlineMessage, type Offline } from "#app/site/offline.ts";
import { IconButton } from "#app/ui/icon-button.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import { VisuallyHidden } from "#app/ui/visually-hidden.tsx";
import type { EditorActionData, RenderedPreview } from "#app/writing/editor-data.ts";
import preview from "./preview.module.css";
import styles from "./publish-dialog.module.css";
import { useDialog, type DialogControl } from "./use-dialog.ts";

export interface Preview {
  dialog: DialogControl;
  /** `undefined` while the server renders the story. */
  actionData: EditorActionData | Offline | undefined;
  /** Opens the dialog, and asks the server to render the form's story. */
  open: (form: HTMLFormElement) => void;
}

export function usePreview(): Preview {
  const dialog = useDialog();
  const fetcher = useFetcher<EditorActionData | Offline>();

  function open(form: HTMLFormElement) {
    const fields = new FormData(form);
    fields.set("intent", "preview");
    // A preview changes nothing, so the loaders need not run again.
    fields.set("stay", "true");
    // Removes the unsent message, because the composer is a part of the form.
    fields.delete("message");
    fetcher.submit(fields, {
      method: "post",
      action: form.getAttribute("action") ?? "",
      encType: "multipart/form-data",
    });
    dialog.open();
  }

  return { dialog, open, actionData: fetcher.state === "idle" ? fetcher.data : undefined };
}

export interface PreviewDialogProps {
  preview: Preview;
  title: string;
  /** The display name. */
  name: string | null;
}

/** Shows the story as readers would see it, over the editor. Without scripts the preview is a part of the page. */
export function PreviewDialog({
  preview: { dialog, actionData },
  title,
  name,
}: PreviewDialogProps) {
  const { ref, isOpen, close } = dialog;
  const headingId = useId();
  return (
    <dialog ref={ref} className={styles.dialog} aria-labelledby={headingId}>
      {isOpen ? (
        <div className={styles.sheet}>
          <div className={styles.header}>
            <h2 id={headingId}>Preview</h2>
            <IconButton icon="close" label="Close" onClick={close} />
          </div>
          <div className={preview.page}>
            {/* If the story were the live region, it would be read out from beginning to end. */}
            <VisuallyHidden aria-live="polite">{describeState(actionData)}</VisuallyHidden>
            {actionData ? (
              <PreviewResult actionData={actionData} title={title} name={name} />
            ) : (
              <p>Loading…</p>
            )}
          </div>
        </div>
      ) : null}
    </dialog>
  );
}

/** Returns what screen readers say. An error has its own announcement. */
function describeState(actionData: EditorActionData | Offline | undefined): string {
  if (!actionData) return "Loading the preview…";
  const isLoaded = !isOffline(actionData) && actionData.result?.status === "preview";
  return isLoaded ? "The preview is loaded." : "";
}

interface PreviewResultProps {
  actionData: EditorActionData | Offline;
  title: string;
  name: string | null;
}

function PreviewResult({ actionData, title, name }: PreviewResultProps) {
  const result = isOffline(actionData) ? null : actionData.result;
  if (result?.status === "preview") {
    return (
      <>
        <h3 className={preview.title} lang={result.lang} dir="auto">
          {title.trim() || "Untitled"}
        </h3>
        <p className={preview.note}>by {getPublicName(name)}</p>
        <PreviewText {...result} />
      </>
    );
  }
  const hint = isOffline(actionData) ? offlineMessage(actionData) : undefined;
  return (
    <MessageBanner
      severity="error"
      hint={hint ?? (result?.status === "error" ? result.hint : undefined)}
    >
      We can't show a preview.
    </MessageBanner>
  );
}

/** Shows the story as readers would see it, for pages without scripts. `html` must be safe. */
export function DraftPreview(props: PreviewTextProps) {
  return (
    <section id="preview" className={preview.preview} aria-labelledby="preview-title">
      <h2 id="preview-title">Preview</h2>
      <p className={preview.note}>Not saved yet. Your text is still in the editor above.</p>
      <PreviewText {...props} />
    </section>
  );
}

type PreviewTextProps = Omit<RenderedPreview, "status">;

/** A story's text. `html` must be safe. */
function PreviewText({ html, lang, dir }: PreviewTextProps) {
  if (html === "") return <p>Nothing here yet. Start with a first line.</p>;
  return (
    <div
      className={`${story.text} ${preview.text}`}
      lang={lang}
      dir={dir}
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
