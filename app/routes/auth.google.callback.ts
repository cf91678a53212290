import { redirect, type LoaderFunctionArgs } from "@remix-run/cloudflare";

import { completeSignIn } from "#app/accounts/complete-sign-in.server.ts";
import {
  respondLinked,
  respondWithError,
  toPopup,
} from "#app/accounts/google/google-response.server.ts";
import { getGoogle, readPopupId } from "#app/accounts/google/google.server.ts";
import { AuthError, toAuthError } from "#app/firebase/auth-error.server.ts";
import { joinHeaders } from "#app/http/headers.ts";
import { setRequestKind } from "#app/http/outgoing-calls.server.ts";
import { getSessionCookie } from "#app/session/session.server.ts";
import { getUser } from "#app/session/user.server.ts";

/** Receives Google's response, and redirects to the screen that the user came from. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  if (!new URL(request.url).searchParams.has("state")) return redirect("/home");
  setRequestKind("action");
  const google = getGoogle(context);
  const state = await google.findState(request);
  const screen = state?.screen ?? "sign-in";
  const popupId = readPopupId(request);
  const headers = new Headers(state ? { "Set-Cookie": google.clearState(request) } : {});
  try {
    if (screen === "link") {
      const { idToken, sessionId } = await requireLinkingUser();
      const tokens = await google.finish(request, state, idToken);
      const cookie = await getSessionCookie(context).createSession(request, tokens, sessionId);
      return respondLinked(request, popupId, joinHeaders(headers, cookie));
    }
    const tokens = await google.finish(request, state);
    const response = await completeSignIn({ request, context }, tokens, { headers });
    return popupId === null ? response : toPopup(response, { screen, popupId });
  } catch (error) {
    return respondWithError({ request, context }, { screen, popupId }, error, { headers });
  }

  /** Returns the user who started to link Google, if they are still signed in. */
  async function requireLinkingUser() {
    const { user } = await getUser({ request, context }, "action");
    if (!user) throw toAuthError("TOKEN_EXPIRED");
    if (user.uid !== state?.uid) throw new AuthError("invalid-credential", undefined);
    const { idToken, sessionId } = user;
    if (!idToken) throw new AuthError("network-request-failed", undefined);
    return { idToken, sessionId };
  }
}
