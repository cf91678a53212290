import styles from "./logo.module.css";

/** A leaf that is also a pen nib, with an ember at its tip. */
export function Logo() {
  return (
    <svg className={styles.logo} viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
      <path
        className={styles.leaf}
        d="M26 3C13 4 5 11 5 20c0 3 1 5 2 7 1-9 7-15 14-18-6 4-10 10-11 18 9 1 17-7 16-24z"
      />
      <circle className={styles.ember} cx="8" cy="29" r="2" />
    </svg>
  );
}
