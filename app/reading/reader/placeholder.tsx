import { ButtonLink } from "#app/ui/button.tsx";
import styles from "./placeholder.module.css";

/** The first line of every reading page, as specified. It is the heading of pages without a story. */
export function PlaceholderLine({ as: Line }: { as: "h1" | "p" }) {
  return <Line className={styles.line}>reading-page works!</Line>;
}

/** Shown instead of a story that its writer has unpublished. */
export function WithdrawnStory() {
  return <p className={styles.notice}>The writer of this story has withdrawn it.</p>;
}

/** Shown instead of a story that cannot be loaded now. */
export function UnavailableStory({ path }: { path: string }) {
  return (
    <section className={styles.notice} aria-label="The story">
      <p>We can't load this story right now. Nothing was lost; try again in a moment.</p>
      <ButtonLink to={path} variant="quiet" reloadDocument>
        Try again
      </ButtonLink>
    </section>
  );
}
