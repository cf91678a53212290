import type { ComponentPropsWithoutRef, ReactNode } from "react";
import { Label } from "react-aria-components/Label";

import { FieldErrors } from "./field-errors.tsx";
import { Icon } from "./icon.tsx";
import styles from "./select.module.css";
import field from "./text-field.module.css";
import { useFieldIds } from "./use-field-ids.ts";

export interface SelectProps extends Omit<
  ComponentPropsWithoutRef<"select">,
  "className" | "disabled" | "multiple" | "size" | "style"
> {
  label: string;
  description?: string;
  /** Error messages, in order. Sets `[data-invalid]`. */
  errors?: string[];
  /** @default false */
  isDisabled?: boolean;
  /** `<option>` and `<optgroup>`. */
  children: ReactNode;
}

/**
 * A native select. Phones show their own picker, it works before hydration, and hydration does not reset it. React Aria's
 * would add 57 KB and draw its own list over the page.
 *
 * @selector :disabled, [data-invalid] on the field
 */
export function Select({
  label,
  description,
  errors = [],
  isDisabled = false,
  id: ownId,
  children,
  ...props
}: SelectProps) {
  const { id, descriptionId, errorId, describedBy } = useFieldIds(ownId, description, errors);
  const isInvalid = errors.length > 0;

  return (
    <div className={field.field} data-invalid={isInvalid || undefined}>
      <Label className={field.label} htmlFor={id}>
        {label}
      </Label>
      {description ? (
        <p className={field.description} id={descriptionId}>
          {description}
        </p>
      ) : null}
      <div className={styles.control}>
        <select
          {...props}
          className={styles.select}
          id={id}
          disabled={isDisabled}
          data-invalid={isInvalid || undefined}
          aria-invalid={isInvalid || undefined}
          aria-describedby={describedBy}
        >
          {children}
        </select>
        <Icon name="down" className={styles.arrow} />
      </div>
      <FieldErrors id={errorId} errors={errors} />
    </div>
  );
}
