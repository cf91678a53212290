import styles from "./outdated-note.module.css";

/** The element for the note that a page from the cache may be out of date. A new `key` removes the note. */
export function OutdatedNote() {
  return (
    <div
      className={styles.note}
      // `functions/page-cache/` inserts the note after this attribute, so it must be the last one.
      data-outdated-note=""
      // React leaves the server's HTML as it is.
      dangerouslySetInnerHTML={{ __html: "" }}
      suppressHydrationWarning
    />
  );
}
