import { useSearchParams } from "@remix-run/react";
import { useCallback, useEffect, useId, useMemo, useState } from "react";

import { getPublicName } from "#app/chat/message.ts";
import { Cover } from "#app/stories/cover/cover.tsx";
import { Bdi } from "#app/ui/bdi.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { useReplaceAddress } from "#app/ui/use-replace-address.ts";
import { isLasting, type SaveStatus } from "#app/writing/autosave/state.ts";
import { toAnnouncePath, toCreatePath } from "#app/writing/side-tabs.ts";
import styles from "./publish-dialog.module.css";
import { useDialog, type DialogControl } from "./use-dialog.ts";

export interface PublishedDialogProps {
  /** Whether the page is the response to a form that published the draft. */
  isJustPublished: boolean;
  publication: Publication;
  title: string;
  /** May be empty. */
  cover: string;
  /** The display name. */
  name: string | null;
  draftId: string;
  storyId: string | null;
}

/** Shows that the story was published, and where it is. */
export function PublishedDialog(props: PublishedDialogProps) {
  const { isJustPublished, publication, title, cover, name, draftId, storyId } = props;
  const { ref, open, close } = useDialog();
  const headingId = useId();
  const isPublished = publication.publishedRevision !== undefined;
  const [isOpenAtFirst] = useState(isJustPublished && !isPublished);
  const [params] = useSearchParams();
  const replaceAddress = useReplaceAddress();

  useEffect(() => {
    if (isPublished) open();
  }, [isPublished, open]);

  function onClose() {
    const { activeElement, body } = document;
    // The browser returns the focus to the button in the other dialog, which is closed. Until it notices, the focus
    // stays in this one.
    if (activeElement === body || ref.current?.contains(activeElement)) {
      document.querySelector<HTMLElement>("button[value=review]")?.focus();
    }
    // Changes the address, so that a reload shows the editor.
    if (params.has("published")) replaceAddress(toCreatePath(draftId, null));
  }

  const path = `/read/${storyId ?? ""}`;
  return (
    <dialog
      ref={ref}
      id="published"
      className={`${styles.dialog} ${styles.success}`}
      open={isOpenAtFirst}
      aria-labelledby={headingId}
      onClose={onClose}
    >
      {isPublished || isOpenAtFirst ? (
        <div className={styles.sheet}>
          <div className={styles.cover}>
            <Cover id={storyId ?? draftId} title={title} src={cover} />
          </div>
          <h2 id={headingId}>
            <Bdi>{title}</Bdi> is {publication.isUpdate ? "updated" : "published"}.
          </h2>
          <p>
            Published as <Bdi>{getPublicName(name)}</Bdi>. Everyone can read it now.
          </p>
          <div className={styles.actions}>
            <ButtonLink to={path}>Read it</ButtonLink>
            <CopyLink path={path} />
            {/* The link loads the message, which `useAnnouncement` then puts into the composer. */}
            <ButtonLink variant="quiet" to={toAnnouncePath(draftId)} onClick={close}>
              Tell the room
            </ButtonLink>
          </div>
          <Button variant="quiet" className={`${styles.scripted} ${styles.choice}`} onPress={close}>
            Keep writing
          </Button>
          <ButtonLink
            variant="quiet"
            className={`${styles.plain} ${styles.choice}`}
            to={toCreatePath(draftId, null)}
          >
            Keep writing
          </ButtonLink>
        </div>
      ) : null}
    </dialog>
  );
}

/** Copies the address of a page of this site. Needs scripts. */
function CopyLink({ path }: { path: string }) {
  const [status, setStatus] = useState("");

  async function copy() {
    const address = new URL(path, window.location.href).href;
    try {
      await navigator.clipboard.writeText(address);
      setStatus("Link copied");
    } catch {
      setStatus(address);
    }
  }

  return (
    <>
      <Button variant="quiet" className={styles.scripted} onPress={() => void copy()}>
        Copy the link
      </Button>
      <output className={styles.copied}>{status}</output>
    </>
  );
}

interface Publication {
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
