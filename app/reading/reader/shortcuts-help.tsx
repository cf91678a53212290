import type { RefObject } from "react";

import { useHydrated } from "#app/ui/use-hydrated.ts";
import fold from "./fold.module.css";
import styles from "./shortcuts-help.module.css";

const BROWSER_KEYS = [
  ["Space, Shift+Space", "Scroll one screen"],
  ["Page Down, Page Up", "Scroll one screen"],
  ["Home, End", "Go to the beginning or end"],
] as const;

const OUR_KEYS = [["→, ←", "Next or previous part, then next or previous story"]] as const;

const SINGLE_KEYS = [
  ["t", "Open or close type settings"],
  ["?", "Open or close this list"],
  ["Esc", "Close type settings or this list"],
] as const;

export interface KeysHelpProps {
  details: RefObject<HTMLDetailsElement>;
  /** Whether single letters do something. */
  areSingleKeysOn: boolean;
}

/** What the keyboard does on this page, as far as it does. */
export function KeysHelp({ details, areSingleKeysOn }: KeysHelpProps) {
  const isHydrated = useHydrated();
  const keys = [
    ...BROWSER_KEYS,
    ...(isHydrated ? OUR_KEYS : []),
    ...(isHydrated && areSingleKeysOn ? SINGLE_KEYS : []),
  ];
  return (
    <details ref={details} className={styles.help}>
      <summary className={fold.summary}>Keyboard shortcuts</summary>
      <dl className={styles.list}>
        {keys.map(([key, what]) => (
          <div key={key} className={styles.row}>
            <dt>{key}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
