import { getText } from "#app/http/form-text.ts";
import type { User } from "./user.ts";

/** Whether the form was rendered for the signed-in user. Another user may have signed in from another tab since. */
export function isFromUser(
  form: { get(name: "uid"): FormDataEntryValue | null },
  { uid }: Pick<User, "uid">,
): boolean {
  return (getText(form, "uid") || uid) === uid;
}
