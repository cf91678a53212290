import { useId } from "react";

import { FieldErrors } from "./field-errors.tsx";
import styles from "./radio-group.module.css";

export interface RadioGroupProps {
  label: string;
  name: string;
  options: readonly { value: string; label: string }[];
  defaultValue?: string;
  /** Error messages, in order. Space for one is reserved, unless it is `undefined`. */
  errors?: string[] | undefined;
}

/** Native radio buttons, one below the other, which also work without JavaScript. */
export function RadioGroup({ label, name, options, defaultValue, errors }: RadioGroupProps) {
  const errorsId = useId();
  return (
    <fieldset aria-describedby={errors?.length ? errorsId : undefined}>
      <legend className={styles.legend}>{label}</legend>
      {options.map((option) => (
        <label key={option.value} className={styles.option}>
          <input
            type="radio"
            name={name}
            value={option.value}
            defaultChecked={option.value === defaultValue}
          />
          {option.label}
        </label>
      ))}
      {errors ? <FieldErrors id={errorsId} errors={errors} /> : null}
    </fieldset>
  );
}
