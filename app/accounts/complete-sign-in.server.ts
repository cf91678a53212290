import type { AppLoadContext } from "@remix-run/cloudflare";
import { decodeJwt } from "jose";

import type { Tokens } from "#app/firebase/identity-toolkit.server.ts";
import { getWaitUntil } from "#app/http/wait-until.server.ts";
import { getSessionRegistry } from "#app/session/registry.server.ts";
import { getSessionCookie } from "#app/session/session.server.ts";
import { getSignOuts } from "#app/session/sign-out.server.ts";
import { getSessionChecks } from "#app/session/user.server.ts";
import { keepNotice } from "#app/site/flash/flash.server.ts";

interface RequestArgs {
  request: Request;
  context: AppLoadContext;
}

/** Signs somebody in: returns the headers of a new session, which is on their list if the database lets it. */
export async function enter({ request, context }: RequestArgs, tokens: Tokens): Promise<Headers> {
  const session = getSessionCookie(context);
  const sessionChecks = getSessionChecks(context);
  const sessionList = getSessionRegistry(context);
  const uid = decodeJwt(tokens.idToken).sub ?? "";
  const [id, headers] = await Promise.all([
    sessionList.add({ uid, idToken: tokens.idToken }, request),
    // Another session of this browser ends with the new one.
    endSession({ request, context }),
  ]);
  if (id !== undefined) sessionChecks.confirm({ uid, sessionId: id });
  for (const cookie of Object.values(await session.start(request, tokens, id))) {
    headers.append("Set-Cookie", cookie);
  }
  return headers;
}

/** Signs somebody out: returns the headers that end the session, and takes it off their list. */
export async function leave({ request, context }: RequestArgs): Promise<Headers> {
  const headers = await endSession({ request, context });
  if (headers.has("Set-Cookie")) {
    headers.append("Set-Cookie", keepNotice(request, "sign-out-pending")["Set-Cookie"]);
  }
  headers.append("Set-Cookie", getSessionCookie(context).end(request)["Set-Cookie"]);
  return headers;
}

/** Ends the session of the request. Where that cannot be finished, the headers make the browser bring it again. */
async function endSession({ request, context }: RequestArgs): Promise<Headers> {
  const session = getSessionCookie(context);
  const sessionChecks = getSessionChecks(context);
  const signOuts = getSignOuts(context);
  const before = await session.peek(request);
  if (!before) return new Headers();
  sessionChecks.end(before);
  const pending = await signOuts.end(request, before, getWaitUntil(context));
  return new Headers(pending === null ? {} : { "Set-Cookie": pending });
}
