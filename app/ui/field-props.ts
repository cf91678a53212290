import type { FieldMetadata } from "@conform-to/react";

import type { TextFieldProps } from "./text-field.tsx";

/**
 * Maps a Conform field to the props of a text field. Pass `key` yourself.
 *
 * Never `required`: the browser would show its own message instead of ours.
 */
export function getTextFieldProps(field: FieldMetadata<string | undefined>) {
  return {
    id: field.id,
    name: field.name,
    defaultValue: field.initialValue ?? "",
    errors: field.errors,
  } satisfies Partial<TextFieldProps>;
}
