import type { ReactNode } from "react";

import styles from "./switch.module.css";
import { usePreHydrationSelection } from "./use-pre-hydration-selection.ts";

export interface NativeSwitchProps {
  name: string;
  value: string;
  isSelected: boolean;
  /** @default false */
  isReadOnly?: boolean;
  onChange: (isSelected: boolean) => void;
  /** The label: names the setting, never "on" or "off". */
  children: ReactNode;
}

/** A `Switch` without React Aria, for pages that the server renders: React Aria's code would make the Worker larger. */
export function NativeSwitch({
  name,
  value,
  isSelected: selected,
  isReadOnly = false,
  onChange,
  children,
}: NativeSwitchProps) {
  const {
    inputRef,
    isSelected,
    onChange: change,
  } = usePreHydrationSelection({
    isSelected: selected,
    onChange,
  });
  return (
    <label className={styles.switch}>
      <input
        ref={inputRef}
        type="checkbox"
        // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- the checkbox has that state itself
        role="switch"
        className={styles.input}
        name={name}
        value={value}
        checked={isSelected}
        aria-readonly={isReadOnly || undefined}
        onChange={(event) => {
          if (!isReadOnly) change(event.target.checked);
        }}
      />
      <span className={styles.track} aria-hidden="true" />
      <span>{children}</span>
    </label>
  );
}
