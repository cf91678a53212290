import { getText } from "#app/http/form-text.ts";
import type { User } from "./user.ts";

/** Whether the form was made for the user who is signed in now: another tab may have signed in as someone else. */
export function isFromUser(
  form: { get(name: "uid"): FormDataEntryValue | null },
  { uid }: Pick<User, "uid">,
): boolean {
  return (getText(form, "uid") || uid) === uid;
}
