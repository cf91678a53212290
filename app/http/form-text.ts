/** Returns the text of a field, or `""` when the field is missing or contains a file. */
export function getText<Name extends string>(
  form: { get(name: Name): FormDataEntryValue | null },
  name: NoInfer<Name>,
): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
