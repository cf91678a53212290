import { saveUnseen as saveUnseenMode } from "#app/chat/unseen.server.ts";
import { getText } from "#app/http/form-text.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import {
  ProfileFormError,
  redirectWithFlash,
  type ProfileAction,
} from "./profile-action.server.ts";

/** Turns the unseen mode on or off. */
export async function saveUnseen({ request, context, form, user }: ProfileAction) {
  try {
    await saveUnseenMode(context, user, getText(form, "unseen") === "true");
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    throw new ProfileFormError(503, {
      banner: {
        message: "Not saved.",
        hint: "We can't reach this setting. Nothing was changed; try again.",
      },
    });
  }
  return redirectWithFlash(request, "/profile?tab=data", "unseen-saved");
}
