import { getEnv } from "#app/env.server.ts";
import { getText } from "#app/http/form-text.ts";
import { setUncounted } from "#app/stories/readers/readers.server.ts";
import { redirectWithFlash, saveSetting, type ProfileAction } from "./profile-action.server.ts";

/** Leaves the user out of the numbers of readers, or counts them again. */
export async function saveUncounted({ request, context, form, user }: ProfileAction) {
  await saveSetting(setUncounted(getEnv(context), user, getText(form, "uncounted") === "true"));
  return redirectWithFlash(request, "/profile?tab=data", "uncounted-saved");
}
