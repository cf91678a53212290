import type { ActionFunctionArgs } from "@remix-run/cloudflare";

import { getCustomTokens } from "#app/firebase/custom-token.server.ts";
import { getSessionRegistry } from "#app/session/registry.server.ts";
import { toSlot } from "#app/session/session-id.server.ts";
import { getSessionCookie, isSessionEndedError } from "#app/session/session.server.ts";
import { getSession, getSessionChecks } from "#app/session/user.server.ts";

export { loader } from "#app/http/home-redirect.server.ts";

/** Issues the custom token with which the browser signs in to Firebase as the user of its session. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { user, headers } = await getSession({ request, context });
  if (!user) {
    return respond(401, { message: "Not authenticated" }, headers);
  }
  const { uid, idToken, sessionId } = user;
  if (!idToken) return respond(503, { message: "We can't reach the sign-in service." }, headers);

  const customTokens = getCustomTokens(context);
  const session = getSessionCookie(context);
  const sessionChecks = getSessionChecks(context);
  const device = request.headers.get("User-Agent") ?? "";
  try {
    // Checked first: the token would recreate a deleted account.
    await sessionChecks.assertActive({ uid, idToken, sessionId, device });
  } catch (error) {
    if (isSessionEndedError(error)) {
      return respond(401, { message: "Not authenticated" }, session.expireSession(request).headers);
    }
    return respond(503, { message: "We can't reach the sign-in service." }, headers);
  }
  await getSessionRegistry(context).admitPages({ uid, idToken }, sessionId);
  const token = await customTokens.mint(uid, { session: sessionId, slot: toSlot(sessionId) });
  return respond(200, { uid, token }, headers);
}

function respond(status: number, body: object, headers: Record<string, string>) {
  return Response.json(body, { status, headers: { ...headers, "Cache-Control": "no-store" } });
}
