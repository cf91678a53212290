import { useLocation } from "@remix-run/react";

import styles from "./outdated-note.module.css";

/** The element for the note that a page from the cache may be out of date. */
export function OutdatedNote() {
  return (
    <div
      // Removes the note when the user opens another page.
      key={useLocation().key}
      className={styles.note}
      // `functions/page-cache/` inserts the note after this attribute, so it must be the last one.
      data-outdated-note=""
      // React leaves the server's HTML as it is.
      dangerouslySetInnerHTML={{ __html: "" }}
      suppressHydrationWarning
    />
  );
}
