import { useNavigation } from "@remix-run/react";

import styles from "./loading-bar.module.css";

/** Shows at the top of the window that the next page is loading. The style sheet delays it by 200 ms. */
export function LoadingBar() {
  const isLoading = useNavigation().state !== "idle";
  if (!isLoading) return null;
  // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- <progress> can't be styled consistently
  return <div className={styles.bar} role="progressbar" aria-label="Loading page" />;
}
