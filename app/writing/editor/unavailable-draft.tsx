import { ButtonLink } from "#app/ui/button-link.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import styles from "./unavailable-draft.module.css";

/** Shows above the editor that the draft could not be loaded. */
export function UnavailableDraft({ id }: { id: string }) {
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
