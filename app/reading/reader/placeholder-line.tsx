import styles from "./placeholder-line.module.css";

/** The specification's text: the first line of every reading page, and its heading where no story is published. */
export function PlaceholderLine({ as: Line }: { as: "h1" | "p" }) {
  return <Line className={styles.line}>reading-page works!</Line>;
}
