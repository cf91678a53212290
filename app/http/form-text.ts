/** Returns what was typed in a field; nothing for a field that is missing or holds a file. */
export function getText<Name extends string>(
  form: { get(name: Name): FormDataEntryValue | null },
  name: NoInfer<Name>,
): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
