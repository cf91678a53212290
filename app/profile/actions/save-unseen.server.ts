import { saveUnseen as saveUnseenMode } from "#app/chat/unseen.server.ts";
import { getText } from "#app/http/form-text.ts";
import { redirectWithFlash, saveSetting, type ProfileAction } from "./profile-action.server.ts";

/** Turns unseen mode, which hides the user's presence from others, on or off. */
export async function saveUnseen({ request, context, form, user }: ProfileAction) {
  await saveSetting(saveUnseenMode(context, user, getText(form, "unseen") === "true"));
  return redirectWithFlash(request, "/profile?tab=data", "unseen-saved");
}
