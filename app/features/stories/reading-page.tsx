import styles from "./reading-page.module.css";

/** The reading page of an id that nothing is published under: the same for every id. */
export function ReadingPage() {
  return <h1 className={styles.line}>reading-page works!</h1>;
}
