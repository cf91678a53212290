import type { ActionFunctionArgs } from "@remix-run/cloudflare";

import { getCustomTokens } from "#app/firebase/custom-token.server.ts";
import { getSessionCookie, isSessionOver } from "#app/session/session.server.ts";
import { getSession, getSessionChecks } from "#app/session/user.server.ts";

export { loader } from "#app/http/method-not-allowed.server.ts";

/** Hands the browser a token to sign in to Firebase with, as the person of its session cookie and nobody else. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { user, headers } = await getSession({ request, context });
  if (!user) {
    return answer(401, { message: "Not authenticated" }, headers);
  }
  const { uid, idToken, sessionId } = user;
  if (!idToken) return answer(503, { message: "We can't reach the sign-in service." }, headers);

  const customToken = getCustomTokens(context);
  const session = getSessionCookie(context);
  const sessionChecks = getSessionChecks(context);
  const device = request.headers.get("User-Agent") ?? "";
  try {
    // It outlasts the session, and would make a deleted account anew.
    await sessionChecks.demand({ uid, idToken, sessionId, device });
  } catch (error) {
    if (isSessionOver(error)) {
      return answer(401, { message: "Not authenticated" }, session.end(request));
    }
    return answer(503, { message: "We can't reach the sign-in service." }, headers);
  }
  const token = await customToken.mint(uid);
  return answer(200, { uid, token }, headers);
}

function answer(status: number, body: object, headers: Record<string, string>) {
  return Response.json(body, { status, headers: { ...headers, "Cache-Control": "no-store" } });
}
