import type { ActionFunctionArgs } from "@remix-run/cloudflare";

import { getServices, getVisitor } from "#app/services/services.server.ts";
import { isSessionOver } from "#app/services/session.server.ts";

export { loader } from "./no-page.server.ts";

/** Hands the browser a token to sign in to Firebase with, as the person of its session cookie and nobody else. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { account, idToken, sessionId, headers } = await getVisitor({ request, context });
  if (!account || sessionId === null) {
    return answer(401, { message: "Not authenticated" }, headers);
  }
  if (!idToken) return answer(503, { message: "We can't reach the sign-in service." }, headers);

  const { customToken, session, sessionChecks } = getServices(context);
  const device = request.headers.get("User-Agent") ?? "";
  try {
    // It outlasts the session, and would make a deleted account anew.
    await sessionChecks.demand({ uid: account.uid, idToken, sessionId, device });
  } catch (error) {
    if (isSessionOver(error)) {
      return answer(401, { message: "Not authenticated" }, session.end(request));
    }
    return answer(503, { message: "We can't reach the sign-in service." }, headers);
  }
  const token = await customToken.mint(account.uid);
  return answer(200, { uid: account.uid, token }, headers);
}

function answer(status: number, body: object, headers: Record<string, string>) {
  return Response.json(body, { status, headers: { ...headers, "Cache-Control": "no-store" } });
}
