import { Form } from "@remix-run/react";

import { Button } from "#app/ui/button.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import type { DeskView } from "#app/writing/editor-data.ts";
import styles from "./removed-notice.module.css";

/** A deletion can be undone for so long where scripts run; without them as long as the page stands. */
const LIFE_MS = 10_000;

/** Says that a draft was put away, and brings it back. */
export function RemovedNotice({ removed }: { removed: NonNullable<DeskView["removed"]> }) {
  return (
    <MessageBanner
      life={LIFE_MS}
      isDismissable
      className={styles.notice}
      hint={
        <Form method="post" action="/create">
          <input type="hidden" name="id" value={removed.id} />
          <input type="hidden" name="revision" value={removed.revision} />
          <Button type="submit" variant="quiet" name="intent" value="bring-back">
            Undo
          </Button>
        </Form>
      }
    >
      Draft deleted.
    </MessageBanner>
  );
}
