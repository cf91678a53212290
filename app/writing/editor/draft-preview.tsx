import story from "#app/reading/reader/story-text.module.css";
import styles from "./draft-preview.module.css";

/** Shows the story as readers would see it, for pages without scripts. `html` must be safe. */
export function DraftPreview({ html }: { html: string }) {
  return (
    <section id="preview" className={styles.preview} aria-labelledby="preview-title">
      <h2 id="preview-title">Preview</h2>
      <p className={styles.note}>Not saved yet. Your text is still in the editor above.</p>
      <PreviewText html={html} />
    </section>
  );
}

/** A story's text. `html` must be safe. */
export function PreviewText({ html }: { html: string }) {
  if (html === "") return <p>Nothing here yet. Start with a first line.</p>;
  return (
    <div className={`${story.text} ${styles.text}`} dangerouslySetInnerHTML={{ __html: html }} />
  );
}
