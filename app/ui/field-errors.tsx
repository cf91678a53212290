import { useEffect, type RefObject } from "react";

import styles from "./field-errors.module.css";
import { Icon } from "./icon.tsx";

export interface FieldErrorsProps {
  /** For the control's `aria-describedby` while there are errors. */
  id: string;
  errors: string[];
}

/** A control's error messages. Rendered even when empty, so that screen readers announce later errors. */
export function FieldErrors({ id, errors }: FieldErrorsProps) {
  return (
    <div className={styles.errors} id={id} aria-live="polite">
      {errors.length > 0 ? <Icon name="error" className={styles.icon} /> : null}
      <div className={styles.text}>
        {errors.map((error) => (
          <p key={error}>{error}</p>
        ))}
      </div>
    </div>
  );
}

/** Moves the focus to the first invalid field whenever the server returns new `errors`. */
export function useFocusFirstError(formRef: RefObject<HTMLFormElement>, errors: unknown): void {
  useEffect(() => {
    if (errors) formRef.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  }, [formRef, errors]);
}
