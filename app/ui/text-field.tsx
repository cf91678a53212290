import { useId, useState } from "react";
import { Input, type InputProps } from "react-aria-components/Input";
import { Label } from "react-aria-components/Label";

import { FieldErrors } from "./field-errors.tsx";
import styles from "./text-field.module.css";
import { useHydrated } from "./use-hydrated.ts";
import { VisuallyHidden } from "./visually-hidden.tsx";

export interface TextFieldProps extends Omit<InputProps, "className" | "render" | "style"> {
  label: string;
  /** @default 'text' */
  type?: "text" | "email" | "password" | "search" | "url";
  description?: string;
  /** Faults in the order they were found. Sets `[data-invalid]`; each is shown in words. */
  errors?: string[];
}

/**
 * A line of text with a visible label. Its faults describe the input, and a row is kept free for them, so
 * that nothing moves under the pointer when one appears.
 *
 * Made of React Aria's parts. Its whole text field keeps the value in a state of its own, and so wipes
 * what was typed before scripts ran.
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
  const isHydrated = useHydrated();
  const [isRevealed, setIsRevealed] = useState(false);
  const isInvalid = errors.length > 0;
  const canReveal = type === "password" && isHydrated;
  const descriptionId = description ? `${id}-description` : "";
  const errorId = isInvalid ? `${id}-error` : "";

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
          className={styles.input}
          id={id}
          type={canReveal && isRevealed ? "text" : type}
          data-has-toggle={canReveal || undefined}
          aria-invalid={isInvalid || undefined}
          aria-describedby={`${descriptionId} ${errorId}`.trim() || undefined}
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
      <FieldErrors id={`${id}-error`} errors={errors} />
    </div>
  );
}
