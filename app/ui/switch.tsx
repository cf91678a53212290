import type { ReactNode } from "react";
import { SwitchButton, SwitchField, type SwitchFieldProps } from "react-aria-components/Switch";

import styles from "./switch.module.css";
import { useFieldIds } from "./use-field-ids.ts";
import { usePreHydrationSelection } from "./use-pre-hydration-selection.ts";

export interface SwitchProps extends Omit<
  SwitchFieldProps,
  | "children"
  | "className"
  | "inputRef"
  | "isInvalid"
  | "isRequired"
  | "render"
  | "style"
  | "validate"
> {
  /** The label: names the setting, never "on" or "off". */
  children: ReactNode;
  description?: string;
}

/**
 * A setting that takes effect at once. Wraps a native checkbox, so that with a submit button it also works without
 * JavaScript.
 *
 * @selector [data-hovered] [data-pressed] on the label
 * @selector [data-disabled]
 */
export function Switch({
  children,
  description,
  id: ownId,
  isSelected,
  defaultSelected,
  onChange,
  ...props
}: SwitchProps) {
  const { id, descriptionId, describedBy } = useFieldIds(ownId, description);

  return (
    <SwitchField
      {...props}
      {...usePreHydrationSelection({ isSelected, defaultSelected, onChange })}
      className={styles.field}
      id={id}
      aria-describedby={describedBy}
    >
      <SwitchButton className={styles.switch}>
        <span className={styles.track} aria-hidden="true" />
        <span>{children}</span>
      </SwitchButton>
      {description ? (
        <p className={styles.description} id={descriptionId}>
          {description}
        </p>
      ) : null}
    </SwitchField>
  );
}
