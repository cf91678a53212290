/** Returns what was typed in a field; nothing for a field that is missing or holds a file. */
export function getText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
