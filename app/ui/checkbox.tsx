import type { ReactNode } from "react";
import {
  CheckboxButton,
  CheckboxField,
  type CheckboxFieldProps,
} from "react-aria-components/Checkbox";

import styles from "./checkbox.module.css";
import { FieldErrors } from "./field-errors.tsx";
import { Icon } from "./icon.tsx";
import { useFieldIds } from "./use-field-ids.ts";
import { usePreHydrationSelection } from "./use-pre-hydration-selection.ts";

export interface CheckboxProps extends Omit<
  CheckboxFieldProps,
  "children" | "className" | "inputRef" | "isInvalid" | "render" | "style"
> {
  /** The label. May contain a link. */
  children: ReactNode;
  description?: string;
  /** Error messages, in order. Sets `[data-invalid]`. */
  errors?: string[];
}

/**
 * A choice that takes effect when its form is submitted. Wraps a native checkbox and is styled through `:checked`, so
 * it works before hydration.
 *
 * @selector [data-indeterminate] some of the checkboxes it controls are ticked
 * @selector [data-hovered] [data-pressed] on the label
 * @selector [data-disabled] [data-invalid]
 */
export function Checkbox({
  children,
  description,
  errors = [],
  id: ownId,
  isSelected,
  defaultSelected,
  onChange,
  ...props
}: CheckboxProps) {
  const { id, descriptionId, errorId, describedBy } = useFieldIds(ownId, description, errors);

  return (
    <CheckboxField
      // With native validation the browser would show its own messages instead of ours.
      validationBehavior="aria"
      {...props}
      {...usePreHydrationSelection({ isSelected, defaultSelected, onChange })}
      className={styles.field}
      id={id}
      isInvalid={errors.length > 0}
      aria-describedby={describedBy}
    >
      <CheckboxButton className={styles.checkbox}>
        <span className={styles.box} aria-hidden="true">
          <Icon name="check" className={styles.tick} />
        </span>
        <span>{children}</span>
      </CheckboxButton>
      {description ? (
        <p className={styles.description} id={descriptionId}>
          {description}
        </p>
      ) : null}
      <FieldErrors id={errorId} className={styles.errors} errors={errors} />
    </CheckboxField>
  );
}
