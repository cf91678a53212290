import type { RefObject } from "react";

import { useHydrated } from "#app/ui/use-hydrated.ts";
import styles from "./shortcuts-help.module.css";
import summary from "./summary.module.css";

const BROWSER_SHORTCUTS = [
  ["Space, Shift+Space", "Scroll one screen"],
  ["Page Down, Page Up", "Scroll one screen"],
  ["Home, End", "Go to the beginning or end"],
] as const;

const PAGE_SHORTCUTS = [["→, ←", "Next or previous part, then next or previous story"]] as const;

const SINGLE_KEY_SHORTCUTS = [
  ["t", "Open or close type settings"],
  ["?", "Open or close this list"],
  ["Esc", "Close type settings or this list"],
] as const;

export interface ShortcutsHelpProps {
  details: RefObject<HTMLDetailsElement>;
  /** Whether single-key shortcuts are on. */
  hasSingleKeys: boolean;
}

/** Lists the shortcuts that work on this page. */
export function ShortcutsHelp({ details, hasSingleKeys }: ShortcutsHelpProps) {
  const isHydrated = useHydrated();
  const shortcuts = [
    ...BROWSER_SHORTCUTS,
    ...(isHydrated ? PAGE_SHORTCUTS : []),
    ...(isHydrated && hasSingleKeys ? SINGLE_KEY_SHORTCUTS : []),
  ];
  return (
    <details ref={details} className={styles.help}>
      <summary className={summary.summary}>Keyboard shortcuts</summary>
      <dl className={styles.list}>
        {shortcuts.map(([key, action]) => (
          <div key={key} className={styles.row}>
            <dt>{key}</dt>
            <dd>{action}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
