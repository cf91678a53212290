import { Form } from "@remix-run/react";

import { Button } from "#app/ui/button.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import type { EditorData } from "#app/writing/editor-data.ts";
import styles from "./trash-notice.module.css";

/** Shows that a draft was moved to the trash, with a button that restores it. Stays, so that everyone can reach it. */
export function TrashNotice({ trashed }: { trashed: NonNullable<EditorData["trashed"]> }) {
  return (
    <MessageBanner
      isDismissable
      className={styles.notice}
      hint={
        <Form method="post">
          <input type="hidden" name="id" value={trashed.id} />
          <input type="hidden" name="revision" value={trashed.revision} />
          <Button type="submit" variant="quiet" name="intent" value="restore">
            Undo
          </Button>
        </Form>
      }
    >
      Draft deleted.
    </MessageBanner>
  );
}
