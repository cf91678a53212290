import { useCallback, useEffect, useMemo, useState } from "react";

import { isLasting, type SaveStatus } from "#app/writing/autosave/state.ts";
import type { DialogControl } from "./use-dialog.ts";

export interface Publication {
  /** The revision that the user has just published on this page; `undefined` before. */
  publishedRevision: number | undefined;
  /** Whether it replaced an earlier publication. */
  isUpdate: boolean;
  /** Call before each save. */
  onSave: (isPublishing: boolean) => void;
}

/**
 * Detects when a requested publication has succeeded, which may be after some retries, and closes the dialog. Once the
 * user has closed it, only the running request may still publish.
 *
 * @param isBusy whether a request that the user has started is running
 */
export function usePublication(
  status: SaveStatus,
  { isOpen, close }: DialogControl,
  isBusy: boolean,
): Publication {
  /** The status when the user asked for the publication; `null` when nothing is being published. */
  const [statusAtRequest, setStatusAtRequest] = useState<SaveStatus | null>(null);
  const [done, setDone] = useState<{ publishedRevision: number; isUpdate: boolean }>();
  const { publishedRevision, error, conflict } = status;
  const isRejected =
    error !== null && error !== statusAtRequest?.error && isLasting(error, "publish");

  // In a conflict, the published text may be the other one.
  if (statusAtRequest && (isRejected || conflict)) {
    setStatusAtRequest(null);
  } else if (
    statusAtRequest &&
    publishedRevision !== null &&
    publishedRevision !== statusAtRequest.publishedRevision
  ) {
    setStatusAtRequest(null);
    setDone({ publishedRevision, isUpdate: statusAtRequest.publishedRevision !== null });
  } else if (statusAtRequest && !isOpen && !isBusy) {
    // A later publication is one of another tab or device.
    setStatusAtRequest(null);
  }

  useEffect(() => {
    if (done) close();
  }, [done, close]);

  const onSave = useCallback(
    (isPublishing: boolean) => setStatusAtRequest(isPublishing ? status : null),
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
