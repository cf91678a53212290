import { useId, useState } from "react";
import { Input, type InputProps } from "react-aria-components/Input";
import { Label } from "react-aria-components/Label";

import { FieldErrors } from "./field-errors.tsx";
import styles from "./text-field.module.css";
import input from "./text-input.module.css";
import { useHydrated } from "./hydration.ts";
import { VisuallyHidden } from "./visually-hidden.tsx";

export interface TextFieldProps extends Omit<InputProps, "className" | "render" | "style"> {
  label: string;
  /** @default 'text' */
  type?: "text" | "email" | "password" | "search" | "url";
  description?: string;
  /** Error messages, in order. Sets `[data-invalid]`. */
  errors?: string[];
}

/**
 * A text input with a label, a description and errors. Space for one line of errors is reserved, so that nothing shifts
 * when one appears.
 *
 * Built from React Aria's `Label` and `Input`. Its `TextField` controls the value, which deletes what the user typed
 * before hydration.
 */
export function TextField({
  label,
  type = "text",
  description,
  errors = [],
  id: ownId,
  ...props
}: TextFieldProps) {
  const generatedId = useId();
  const id = ownId ?? generatedId;
  const descriptionId = `${id}-description`;
  const errorId = `${id}-error`;
  const describedBy = [description && descriptionId, errors.length > 0 && errorId];
  const isHydrated = useHydrated();
  const [isRevealed, setIsRevealed] = useState(false);
  const isInvalid = errors.length > 0;
  const canReveal = type === "password" && isHydrated;

  return (
    <div className={styles.field} data-invalid={isInvalid || undefined}>
      <Label className={styles.label} htmlFor={id}>
        {label}
      </Label>
      {description ? (
        <p className={styles.description} id={descriptionId}>
          {description}
        </p>
      ) : null}
      <div className={styles.control}>
        <Input
          {...props}
          className={`${input.input} ${styles.input}`}
          id={id}
          dir="auto"
          type={canReveal && isRevealed ? "text" : type}
          data-has-toggle={canReveal || undefined}
          aria-invalid={isInvalid || undefined}
          aria-describedby={describedBy.filter(Boolean).join(" ") || undefined}
        />
        {canReveal ? (
          <button
            className={styles.toggle}
            type="button"
            aria-controls={id}
            onClick={() => setIsRevealed(!isRevealed)}
          >
            {isRevealed ? "Hide" : "Show"}
            <VisuallyHidden> {label.toLowerCase()}</VisuallyHidden>
          </button>
        ) : null}
      </div>
      <FieldErrors id={errorId} errors={errors} />
    </div>
  );
}
