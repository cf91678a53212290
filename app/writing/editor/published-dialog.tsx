import { useSearchParams } from "@remix-run/react";
import { useEffect, useId, useState } from "react";

import { getPublicName } from "#app/chat/message.ts";
import { Cover } from "#app/stories/cover/cover.tsx";
import { ButtonLink, Button } from "#app/ui/button.tsx";
import { Bdi } from "#app/ui/bdi.tsx";
import { useReplaceAddress } from "#app/ui/use-replace-address.ts";
import { toCreatePath, toAnnouncePath } from "#app/writing/side-tabs.ts";
import styles from "./publish-dialog.module.css";
import { useDialog } from "./use-dialog.ts";
import type { Publication } from "./use-publication.ts";

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
