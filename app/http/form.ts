/** Returns the text of a field, or `""` when the field is missing or contains a file. */
export function getText<Name extends string>(
  form: { get(name: Name): FormDataEntryValue | null },
  name: NoInfer<Name>,
): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

/** The error that a form shows: the provider's message or the specification's, and a hint about what to do. */
export interface FormError {
  message: string;
  hint?: string | undefined;
}

/** Returns an error as one text, for places without a separate hint. */
export function describeError({ message, hint }: FormError): string {
  return hint === undefined ? message : `${message} ${hint}`;
}
