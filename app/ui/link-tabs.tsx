import { Link } from "@remix-run/react";
import { useEffect, useRef } from "react";

import styles from "./link-tabs.module.css";

export interface LinkTabsProps {
  /** The accessible name of the tabs. */
  label: string;
  tabs: readonly { id: string; label: string; to: string }[];
  /** The `id` of the current tab. */
  current: string;
  /** Numbers shown in the tabs, by `id`. Zero and `null` are not shown. */
  counts?: Readonly<Record<string, number | null>>;
  /** Whether the tabs share the width. @default false */
  isStretched?: boolean;
}

/** Links that look like tabs, for the parts of a page that have their own URLs. Scrolls sideways if too long. */
export function LinkTabs({
  label,
  tabs,
  current,
  counts = {},
  isStretched = false,
}: LinkTabsProps) {
  const row = useRef<HTMLElement>(null);

  useEffect(() => {
    const tab = row.current?.querySelector("[aria-current]");
    if (!tab || !row.current) return;
    const hidden = tab.getBoundingClientRect().right - row.current.getBoundingClientRect().right;
    // Only sideways: the page stays where it is.
    if (hidden > 0) row.current.scrollBy({ left: hidden });
  }, [current]);

  return (
    <nav ref={row} className={styles.row} aria-label={label}>
      <ul className={styles.list} data-stretched={isStretched || undefined}>
        {tabs.map(({ id, label: text, to }) => (
          <li key={id}>
            <Link
              className={styles.tab}
              to={to}
              aria-current={id === current ? "page" : undefined}
              preventScrollReset
              // Chromium doesn't scroll to a tab that is partly visible.
              onFocus={({ currentTarget }) =>
                currentTarget.scrollIntoView({ block: "nearest", inline: "nearest" })
              }
            >
              {text}
              {counts[id] ? (
                <>
                  {" "}
                  <span className={styles.count}>{counts[id]}</span>
                </>
              ) : null}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
