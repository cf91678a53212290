import type { ActionFunctionArgs } from "@remix-run/cloudflare";

import { getCustomTokens } from "#app/firebase/custom-token.server.ts";
import { respondWithJson } from "#app/http/headers.ts";
import { getSessionRegistry, toSlot } from "#app/session/registry.server.ts";
import { getUser } from "#app/session/user.server.ts";

export { loader } from "#app/http/home-redirect.server.ts";

/** Issues the custom token with which the browser signs in to Firebase as the user of its session. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { user, headers, isConfirmed } = await getUser({ request, context });
  if (!user) {
    return respondWithJson({ message: "Not authenticated" }, { status: 401, headers });
  }
  const { uid, idToken, sessionId } = user;
  // The custom token would recreate a deleted account.
  if (!idToken || !isConfirmed) {
    const message = "We can't reach the sign-in service.";
    return respondWithJson({ message }, { status: 503, headers });
  }
  const customTokens = getCustomTokens(context);
  await getSessionRegistry(context).admitPages({ uid, idToken }, sessionId);
  const token = await customTokens.mint(uid, { session: sessionId, slot: toSlot(sessionId) });
  return respondWithJson({ uid, token }, { headers });
}
