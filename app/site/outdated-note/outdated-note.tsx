import { useLocation } from "@remix-run/react";

/** The place of the note that a page from the cache is not up to date. */
export function OutdatedNote() {
  return (
    <div
      // The next page has no note.
      key={useLocation().key}
      data-outdated-note=""
      // React leaves the server's content as it is.
      dangerouslySetInnerHTML={{ __html: "" }}
      suppressHydrationWarning
    />
  );
}
