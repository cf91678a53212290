import type { RefObject } from "react";

import {
  READING_CHOICES,
  type ReadingSettingName,
  type ReadingSettings,
} from "#app/reading/settings.ts";
import { Button } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import fold from "./fold.module.css";
import styles from "./reading-settings.module.css";

export interface TypeSettingsProps {
  settings: ReadingSettings;
  onSettings: (settings: ReadingSettings) => void;
  /** Where a reader without scripts comes back to. */
  returnTo: string;
  details: RefObject<HTMLDetailsElement>;
}

const NAMES = Object.keys(READING_CHOICES) as ReadingSettingName[]; // of that object, and no other

/** How the text looks: a sheet beside it where there is room, else above it. Never over the words. */
export function TypeSettings({ settings, onSettings, returnTo, details }: TypeSettingsProps) {
  const isHydrated = useHydrated();
  return (
    <details ref={details} className={styles.sheet}>
      <summary className={fold.summary}>Type settings</summary>
      <form className={styles.form} method="post" action="/reading-settings">
        <input type="hidden" name="returnTo" value={returnTo} />
        {NAMES.map((name) => {
          const { label, choices } = READING_CHOICES[name];
          return (
            <div key={name} className={styles.choice}>
              <label htmlFor={`reading-${name}`}>{label}</label>
              <span className={styles.control}>
                <select
                  id={`reading-${name}`}
                  className={styles.select}
                  name={name}
                  value={settings[name]}
                  onChange={(event) => onSettings({ ...settings, [name]: event.target.value })}
                >
                  {Object.entries(choices).map(([value, words]) => (
                    <option key={value} value={value}>
                      {words}
                    </option>
                  ))}
                </select>
                <Icon name="down" className={styles.arrow} />
              </span>
            </div>
          );
        })}
        {isHydrated ? null : <Button type="submit">Use these settings</Button>}
      </form>
    </details>
  );
}
