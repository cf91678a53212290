import { useId, useRef, type ReactNode } from "react";

import styles from "./switch.module.css";
import { useBrowserLayoutEffect } from "./hydration.ts";

export interface SwitchProps {
  isSelected: boolean;
  onChange: (isSelected: boolean) => void;
  /** @default false */
  isReadOnly?: boolean;
  /** With `value`, for a form that is posted without scripts. */
  name?: string;
  value?: string;
  description?: string;
  /** The label: names the setting, never "on" or "off". */
  children: ReactNode;
}

/**
 * A setting that takes effect at once. A native checkbox, so that with a submit button it also works without scripts.
 * React Aria's would make the Worker larger.
 */
export function Switch({
  isSelected,
  onChange,
  isReadOnly = false,
  name,
  value,
  description,
  children,
}: SwitchProps) {
  const input = useRef<HTMLInputElement>(null);
  const descriptionId = useId();

  const readInput = useRef(() => {
    const isChecked = input.current?.checked ?? isSelected;
    if (isChecked !== isSelected) onChange(isChecked);
  });
  // What the user chose before hydration. A layout effect, because the next render would overwrite it.
  useBrowserLayoutEffect(() => readInput.current(), []);

  return (
    <div className={styles.field}>
      <label className={styles.switch}>
        <input
          ref={input}
          type="checkbox"
          // On a reload, Firefox would restore an earlier choice, which would then be taken for a new one.
          autoComplete="off"
          // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- the checkbox has that state itself
          role="switch"
          className={styles.input}
          name={name}
          value={value}
          checked={isSelected}
          aria-readonly={isReadOnly || undefined}
          aria-describedby={description && descriptionId}
          onChange={(event) => {
            if (!isReadOnly) onChange(event.target.checked);
          }}
        />
        <span className={styles.track} aria-hidden="true" />
        <span>{children}</span>
      </label>
      {description ? (
        <p className={styles.description} id={descriptionId}>
          {description}
        </p>
      ) : null}
    </div>
  );
}
