import { ButtonLink } from "#app/ui/button-link.tsx";
import styles from "./no-books.module.css";

/** Shown instead of a carousel that has no books. */
export function NoBooks({ heading }: { heading: string }) {
  return (
    <section>
      <h2>{heading}</h2>
      <div className={styles.empty}>
        <p>No stories here yet</p>
        <ButtonLink to="/home" variant="quiet" reloadDocument>
          Try again
        </ButtonLink>
      </div>
    </section>
  );
}
