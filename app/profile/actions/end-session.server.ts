import { data } from "@remix-run/cloudflare";

import { getText } from "#app/http/form-text.ts";
import { getSessionRegistry } from "#app/session/registry.server.ts";
import { isSessionId } from "#app/session/session-record-schema.ts";
import { getSessionChecks } from "#app/session/user.server.ts";
import {
  ProfileFormError,
  redirectWithFlash,
  type ProfileAction,
} from "./profile-action.server.ts";

/** Ends one other session by deleting it from the registry. */
export async function endSession({ request, context, form, user }: ProfileAction) {
  const { uid, idToken } = user;
  const sessionId = getText(form, "session");
  if (!isSessionId(sessionId) || sessionId === user.sessionId) {
    throw data({ message: "The form is incomplete. Reload the page and try again." }, 400);
  }
  const isDeleted = await getSessionRegistry(context).delete({ uid, idToken }, sessionId);
  if (!isDeleted) {
    throw new ProfileFormError(503, {
      banner: {
        message: "That browser is still signed in.",
        hint: "We can't reach the list of sessions. Nothing was changed; try again.",
      },
    });
  }
  getSessionChecks(context).markEnded({ uid, sessionId });
  return redirectWithFlash(request, "/profile?tab=security", "session-removed");
}
