import { useId, type ComponentProps } from "react";

import text from "./text-field.module.css";

export interface FileFieldProps extends Omit<ComponentProps<"input">, "className" | "type"> {
  label: string;
  description?: string;
}

/** A field for a file, with a label and a description, as items of their own in a grid. */
export function FileField({ label, description, ...props }: FileFieldProps) {
  const id = useId();
  const descriptionId = `${id}-description`;
  return (
    <>
      <label className={text.label} htmlFor={id}>
        {label}
      </label>
      {description ? (
        <p className={text.description} id={descriptionId}>
          {description}
        </p>
      ) : null}
      <input
        {...props}
        className={text.file}
        id={id}
        type="file"
        aria-describedby={description ? descriptionId : undefined}
      />
    </>
  );
}
