import story from "#app/reading/reader/story-text.module.css";
import type { RenderedPreview } from "#app/writing/editor-data.ts";
import styles from "./draft-preview.module.css";

/** Shows the story as readers would see it, for pages without scripts. `html` must be safe. */
export function DraftPreview(preview: PreviewTextProps) {
  return (
    <section id="preview" className={styles.preview} aria-labelledby="preview-title">
      <h2 id="preview-title">Preview</h2>
      <p className={styles.note}>Not saved yet. Your text is still in the editor above.</p>
      <PreviewText {...preview} />
    </section>
  );
}

type PreviewTextProps = Omit<RenderedPreview, "status">;

/** A story's text. `html` must be safe. */
export function PreviewText({ html, lang, dir }: PreviewTextProps) {
  if (html === "") return <p>Nothing here yet. Start with a first line.</p>;
  return (
    <div
      className={`${story.text} ${styles.text}`}
      lang={lang}
      dir={dir}
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
