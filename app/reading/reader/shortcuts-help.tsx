import type { RefObject } from "react";

import { useScripts } from "#app/ui/use-hydrated.ts";
import fold from "./fold.module.css";
import styles from "./shortcuts-help.module.css";

const BROWSER_KEYS = [
  ["Space, Shift+Space", "a window down, up"],
  ["Page Down, Page Up", "the same"],
  ["Home, End", "the beginning, the end"],
] as const;

const OUR_KEYS = [
  ["→, ←", "the next, the previous part; at the last and first one another story"],
] as const;

const SINGLE_KEYS = [
  ["t", "type settings"],
  ["?", "this list"],
  ["Esc", "closes either"],
] as const;

export interface KeysHelpProps {
  details: RefObject<HTMLDetailsElement>;
  /** Whether single letters do something. */
  areSingleKeysOn: boolean;
}

/** What the keyboard does on this page, as far as it does. */
export function KeysHelp({ details, areSingleKeysOn }: KeysHelpProps) {
  const hasScripts = useScripts();
  const keys = [
    ...BROWSER_KEYS,
    ...(hasScripts ? OUR_KEYS : []),
    ...(hasScripts && areSingleKeysOn ? SINGLE_KEYS : []),
  ];
  return (
    <details ref={details} className={styles.help}>
      <summary className={fold.summary}>Keys</summary>
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
