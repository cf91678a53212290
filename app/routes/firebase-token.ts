import type { ActionFunctionArgs } from "@remix-run/cloudflare";

import { getCustomTokens } from "#app/firebase/custom-token.server.ts";
import { getSessionRegistry, toSlot } from "#app/session/registry.server.ts";
import { getUser } from "#app/session/user.server.ts";

export { loader } from "#app/http/home-redirect.server.ts";

/** Issues the custom token with which the browser signs in to Firebase as the user of its session. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { user, headers, isConfirmed } = await getUser({ request, context });
  if (!user) {
    return respond(401, { message: "Not authenticated" }, headers);
  }
  const { uid, idToken, sessionId } = user;
  // The custom token would recreate a deleted account.
  if (!idToken || !isConfirmed) {
    return respond(503, { message: "We can't reach the sign-in service." }, headers);
  }
  const customTokens = getCustomTokens(context);
  await getSessionRegistry(context).admitPages({ uid, idToken }, sessionId);
  const token = await customTokens.mint(uid, { session: sessionId, slot: toSlot(sessionId) });
  return respond(200, { uid, token }, headers);
}

function respond(status: number, body: object, headers: Record<string, string>) {
  return Response.json(body, { status, headers: { ...headers, "Cache-Control": "no-store" } });
}
