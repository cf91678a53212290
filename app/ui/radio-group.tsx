import { useId } from "react";

import { FieldErrors } from "./field-errors.tsx";
import styles from "./radio-group.module.css";

export interface RadioGroupProps<Value extends string> {
  label: string;
  name: string;
  options: readonly { value: Value; label: string }[];
  /** Makes it controlled. */
  value?: Value;
  defaultValue?: Value;
  onChange?: (value: Value) => void;
  /** Error messages, in order. Space for one is reserved, unless it is `undefined`. */
  errors?: string[] | undefined;
}

/** Native radio buttons, one below the other, which also work without JavaScript. */
export function RadioGroup<Value extends string>({
  label,
  name,
  options,
  value: selected,
  defaultValue,
  onChange,
  errors,
}: RadioGroupProps<Value>) {
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
            {...(selected === undefined
              ? { defaultChecked: option.value === defaultValue }
              : { checked: option.value === selected })}
            onChange={() => onChange?.(option.value)}
          />
          {option.label}
        </label>
      ))}
      {errors ? <FieldErrors id={errorsId} errors={errors} /> : null}
    </fieldset>
  );
}
