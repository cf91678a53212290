import { Link } from "@remix-run/react";

import styles from "./link-tabs.module.css";

export interface LinkTabsProps {
  /** Names the row, for those who listen to the page. */
  label: string;
  tabs: readonly { id: string; label: string; to: string }[];
  /** The `id` of the tab whose page this is. */
  current: string;
}

/**
 * Parts of one page that each have an address of their own: links that look like tabs, and work before any script
 * has run. The row scrolls sideways where it is too long.
 */
export function LinkTabs({ label, tabs, current }: LinkTabsProps) {
  return (
    <nav className={styles.row} aria-label={label}>
      <ul className={styles.list}>
        {tabs.map(({ id, label: words, to }) => (
          <li key={id}>
            <Link
              className={styles.tab}
              to={to}
              aria-current={id === current ? "page" : undefined}
              preventScrollReset
            >
              {words}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
