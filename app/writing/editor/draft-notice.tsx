import { Form } from "@remix-run/react";
import type { ReactNode } from "react";

import { ButtonLink, Button } from "#app/ui/button.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import type { EditorData } from "#app/writing/editor-data.ts";
import { toCreatePath } from "#app/writing/side-tabs.ts";
import styles from "./editor-page.module.css";

/** Shows above the editor that a part of the draft's text is missing. */
export function DamagedDraft({ id }: { id: string }) {
  return (
    <DraftNotice title="Part of this draft's text is missing from your account.">
      The rest is below, and saving or publishing keeps only that. An earlier version may have all
      of it.
      <ButtonLink to={toCreatePath(id, "versions")} variant="quiet">
        Show versions
      </ButtonLink>
    </DraftNotice>
  );
}

/** Shows above the editor that the draft could not be loaded. */
export function UnavailableDraft({ id }: { id: string }) {
  return (
    <DraftNotice title="We can't load this draft right now.">
      Nothing was lost; try again in a moment. What you write here won't overwrite it.
      <ButtonLink to={`/create?draft=${id}`} variant="quiet" reloadDocument>
        Try again
      </ButtonLink>
    </DraftNotice>
  );
}

function DraftNotice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <MessageBanner
      severity="warn"
      className={styles.notice}
      hint={<div className={styles.hint}>{children}</div>}
    >
      {title}
    </MessageBanner>
  );
}

/** Shows that a draft was moved to the trash, with a button that restores it. Stays, so that everyone can reach it. */
export function TrashNotice({ trashed }: { trashed: NonNullable<EditorData["trashed"]> }) {
  return (
    <MessageBanner
      isDismissable
      className={styles.trashed}
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
