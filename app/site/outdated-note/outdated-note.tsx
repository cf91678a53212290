import { useLocation } from "@remix-run/react";

import styles from "./outdated-note.module.css";

/** The place of the note that a page from the cache is not up to date. */
export function OutdatedNote() {
  return (
    <div
      // The next page has no note.
      key={useLocation().key}
      className={styles.place}
      // `functions/page-cache/` looks for this last attribute.
      data-outdated-note=""
      // React leaves the server's content as it is.
      dangerouslySetInnerHTML={{ __html: "" }}
      suppressHydrationWarning
    />
  );
}
