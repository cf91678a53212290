import styles from "./placeholder-line.module.css";

/** The specification's line: all there is where nothing is published, and the first line where something is. */
export function PlaceholderLine({ as: Line }: { as: "h1" | "p" }) {
  return <Line className={styles.line}>reading-page works!</Line>;
}
