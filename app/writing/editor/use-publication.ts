import { useCallback, useEffect, useMemo, useState } from "react";

import type { SaveStatus } from "#app/writing/autosave/state.ts";

export interface Publication {
  /** The revision that the user has just published on this page; `undefined` before. */
  publishedRevision: number | undefined;
  /** Whether it replaced an earlier one. */
  isUpdate: boolean;
  /** Call before each save. */
  onSave: (isPublishing: boolean) => void;
}

/**
 * Detects when a requested publication has succeeded, which may be after some retries.
 *
 * @param onPublished must be stable
 */
export function usePublication(status: SaveStatus, onPublished: () => void): Publication {
  /** The status when the user asked for it; `null` when nothing is being published. */
  const [asked, setAsked] = useState<SaveStatus | null>(null);
  const [done, setDone] = useState<{ publishedRevision: number; isUpdate: boolean }>();
  const { publishedRevision, error } = status;

  if (asked && error !== asked.error && error?.reason === "invalid") {
    setAsked(null);
  } else if (asked && publishedRevision !== null && publishedRevision !== asked.publishedRevision) {
    setAsked(null);
    setDone({ publishedRevision, isUpdate: asked.publishedRevision !== null });
  }

  useEffect(() => {
    if (done) onPublished();
  }, [done, onPublished]);

  const onSave = useCallback(
    (isPublishing: boolean) => setAsked(isPublishing ? status : null),
    [status],
  );

  return useMemo(
    () => ({
      publishedRevision: done?.publishedRevision,
      isUpdate: done?.isUpdate ?? false,
      onSave,
    }),
    [done, onSave],
  );
}
