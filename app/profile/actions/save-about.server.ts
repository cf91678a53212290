import { getPublicName } from "#app/chat/message.ts";
import { FirestoreError } from "#app/firebase/firestore-error.server.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { aboutSchema } from "#app/profile/profile-schema.ts";
import { getUnsavedProfile } from "#app/profile/unsaved-profile.server.ts";
import { getWriteLimit } from "#app/session/write-limit.server.ts";
import { getWriters } from "#app/stories/writers/writers.server.ts";
import {
  parseProfileForm,
  ProfileFormError,
  redirectWithFlash,
  type ProfileAction,
} from "./profile-action.server.ts";

/** Saves the line about the user, with their name and photo. */
export async function saveAbout({ request, context, form, user }: ProfileAction) {
  const { about } = parseProfileForm(form, aboutSchema);
  if (!(await getWriteLimit(context).consume(user.uid, "profile"))) {
    throw createNotSavedError(
      429,
      "You've changed your profile too many times. Try again in a minute.",
    );
  }
  try {
    const name = getPublicName(user.displayName);
    const writers = getWriters(context);
    const fields = { name, about, photoURL: user.photoURL };
    if (!(await writers.isSaved(user.uid, fields))) await writers.save(user, fields);
  } catch (error) {
    if (!(error instanceof UnavailableError) && !(error instanceof FirestoreError)) throw error;
    throw createNotSavedError(503, "We can't reach our database. Nothing was changed; try again.");
  }
  const headers = await getUnsavedProfile(context).clear(request, "about");
  return redirectWithFlash(request, "/profile?tab=name", "about-saved", headers);
}

function createNotSavedError(status: number, hint: string): ProfileFormError {
  return new ProfileFormError(status, { banner: { message: "Not saved.", hint } });
}
