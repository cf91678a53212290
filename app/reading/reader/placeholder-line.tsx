import styles from "./placeholder-line.module.css";

/** The first line of every reading page, as specified. It is the heading of pages without a story. */
export function PlaceholderLine({ as: Line }: { as: "h1" | "p" }) {
  return <Line className={styles.line}>reading-page works!</Line>;
}
