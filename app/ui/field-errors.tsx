import styles from "./field-errors.module.css";
import { Icon } from "./icon.tsx";

export interface FieldErrorsProps {
  /** What the control names in `aria-describedby` while there are errors. */
  id: string;
  /** Faults in the order they were found. */
  errors: string[];
  className?: string;
}

/** The faults of a control, in words. The row stays when it is empty, so that later faults are announced. */
export function FieldErrors({ id, errors, className }: FieldErrorsProps) {
  return (
    <div
      className={[styles.errors, className].filter(Boolean).join(" ")}
      id={id}
      aria-live="polite"
    >
      {errors.length > 0 ? <Icon name="error" className={styles.icon} /> : null}
      <div className={styles.text}>
        {errors.map((error) => (
          <p key={error}>{error}</p>
        ))}
      </div>
    </div>
  );
}
