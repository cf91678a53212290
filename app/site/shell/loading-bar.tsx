import { useNavigation } from "@remix-run/react";

import styles from "./loading-bar.module.css";

/** Says at the top of the window that the next page is on its way. The style sheet shows it only where that takes long. */
export function LoadingBar() {
  const isLoading = useNavigation().state !== "idle";
  if (!isLoading) return null;
  // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- browsers draw a <progress> in their own ways
  return <div className={styles.bar} role="progressbar" aria-label="Loading page" />;
}
