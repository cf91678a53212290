import { data } from "@remix-run/cloudflare";

import { getHiddenPeople } from "#app/chat/hidden.server.ts";
import { isDocumentId } from "#app/firebase/document-id.ts";
import { FirestoreError } from "#app/firebase/firestore-error.server.ts";
import { getText } from "#app/http/form-text.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import {
  ProfileFormError,
  redirectWithFlash,
  type ProfileAction,
} from "./profile-action.server.ts";

/** Shows the messages of a hidden person again. */
export async function showPerson({ request, context, form, user }: ProfileAction) {
  const person = getText(form, "person");
  if (!isDocumentId(person)) {
    throw data({ message: "The form is incomplete. Reload the page and try again." }, 400);
  }
  try {
    await getHiddenPeople(context).show(user, person);
  } catch (error) {
    if (!(error instanceof FirestoreError) && !(error instanceof UnavailableError)) throw error;
    throw new ProfileFormError(503, {
      banner: {
        message: "They're still hidden.",
        hint: "We can't reach our database. Nothing was changed; try again.",
      },
    });
  }
  return redirectWithFlash(request, "/profile?tab=hidden", "person-shown");
}
