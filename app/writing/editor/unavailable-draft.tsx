import { ButtonLink } from "#app/ui/button-link.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import styles from "./unavailable-draft.module.css";

/** Says above the editor that there may well be a draft, which cannot be shown. */
export function UnreachableDraft({ id }: { id: string }) {
  return (
    <MessageBanner
      severity="warn"
      className={styles.notice}
      hint={
        <div className={styles.hint}>
          Nothing was lost; try again in a moment. What you write here won't overwrite it.
          <ButtonLink to={`/create?draft=${id}`} variant="quiet" reloadDocument>
            Try again
          </ButtonLink>
        </div>
      }
    >
      We can't load this draft right now.
    </MessageBanner>
  );
}
