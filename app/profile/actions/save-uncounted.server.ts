import { getEnv } from "#app/env.server.ts";
import { getText } from "#app/http/form-text.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { setUncounted } from "#app/stories/readers/readers.server.ts";
import {
  ProfileFormError,
  redirectWithFlash,
  type ProfileAction,
} from "./profile-action.server.ts";

/** Leaves the user out of the numbers of readers, or counts them again. */
export async function saveUncounted({ request, context, form, user }: ProfileAction) {
  try {
    await setUncounted(getEnv(context), user, getText(form, "uncounted") === "true");
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    throw new ProfileFormError(503, {
      banner: {
        message: "Not saved.",
        hint: "We can't reach this setting. Nothing was changed; try again.",
      },
    });
  }
  return redirectWithFlash(request, "/profile?tab=data", "uncounted-saved");
}
