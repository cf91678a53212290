import type { ActionFunctionArgs } from "@remix-run/cloudflare";

import { getServices, getVisitor } from "#app/services/services.server.ts";

export { loader } from "./no-page.ts";

/** Hands the browser a token to sign in to Firebase with, as the person of its session cookie and nobody else. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { account, headers: cookie } = await getVisitor({ request, context });
  const headers = { ...cookie, "Cache-Control": "no-store" };
  if (!account) return Response.json({ message: "Not authenticated" }, { status: 401, headers });

  const token = await getServices(context).customToken.mint(account.uid);
  return Response.json({ uid: account.uid, token }, { headers });
}
