import styles from "./progress-track.module.css";

/** A thin line that shows how much of a story is read. Decorative, so show the number as text beside it. */
export function ProgressTrack({ percent }: { percent: number }) {
  return (
    <div className={styles.track} aria-hidden="true">
      <div className={styles.bar} style={{ inlineSize: `${percent}%` }} />
    </div>
  );
}
