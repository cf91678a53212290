import type { AppLoadContext } from "@remix-run/cloudflare";
import { decodeJwt } from "jose";

import type { Tokens } from "./identity.server.ts";
import { getServices } from "./services.server.ts";

interface RequestArgs {
  request: Request;
  context: AppLoadContext;
}

/** Signs somebody in: returns the headers of a new session, which is on their list if the database lets it. */
export async function enter({ request, context }: RequestArgs, tokens: Tokens) {
  const { session, sessionList } = getServices(context);
  const uid = decodeJwt(tokens.idToken).sub ?? "";
  // Whoever was signed in here before is so no longer.
  const [id] = await Promise.all([
    sessionList.add({ uid, idToken: tokens.idToken }, request),
    takeOff({ request, context }),
  ]);
  return session.start(request, tokens, id);
}

/** Signs somebody out: returns the headers that end the session, and takes it off their list. */
export async function leave({ request, context }: RequestArgs) {
  await takeOff({ request, context });
  return getServices(context).session.end(request);
}

async function takeOff({ request, context }: RequestArgs): Promise<void> {
  const { session, sessionList } = getServices(context);
  const before = await session.peek(request);
  if (!before?.account || !before.idToken || before.sessionId === null) return;
  await sessionList.remove({ uid: before.account.uid, idToken: before.idToken }, before.sessionId);
}
