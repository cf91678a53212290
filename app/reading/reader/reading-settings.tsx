import type { RefObject } from "react";

import { READING_CHOICES, SETTING_NAMES, type ReadingSettings } from "#app/reading/settings.ts";
import { Button } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import styles from "./reading-settings.module.css";
import summary from "./summary.module.css";

export interface SettingsFormProps {
  settings: ReadingSettings;
  onSettings: (settings: ReadingSettings) => void;
  /** The path to redirect to after a submit without scripts. */
  returnTo: string;
  details: RefObject<HTMLDetailsElement>;
}

/** The settings of the text: next to it in wide windows, otherwise above it. They never cover it. */
export function SettingsForm({ settings, onSettings, returnTo, details }: SettingsFormProps) {
  const isHydrated = useHydrated();
  return (
    <details ref={details} className={styles.settings}>
      <summary className={summary.summary}>Type settings</summary>
      <form className={styles.form} method="post" action="/reading-settings">
        <input type="hidden" name="returnTo" value={returnTo} />
        {SETTING_NAMES.map((name) => {
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
                  {Object.entries(choices).map(([value, text]) => (
                    <option key={value} value={value}>
                      {text}
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
