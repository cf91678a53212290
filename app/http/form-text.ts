import type { Account } from "#app/accounts/credentials-schema.ts";

/** Returns what was typed in a field; nothing for a field that is missing or holds a file. */
export function getText<Name extends string>(
  form: { get(name: Name): FormDataEntryValue | null },
  name: NoInfer<Name>,
): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

/** Whether the person signed in now is the one the page was made for: another tab may have signed in somebody else. */
export function isFrom(
  form: { get(name: "uid"): FormDataEntryValue | null },
  { uid }: Pick<Account, "uid">,
): boolean {
  return (getText(form, "uid") || uid) === uid;
}
