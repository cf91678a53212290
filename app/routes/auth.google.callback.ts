import { redirect, type LoaderFunctionArgs } from "@remix-run/cloudflare";

import { enter } from "#app/accounts/complete-sign-in.server.ts";
import { refuse, welcome } from "#app/accounts/google/google-response.server.ts";
import { getGoogle, readFlow, type GoogleAttempt } from "#app/accounts/google/google.server.ts";
import { ProviderError, toProviderError } from "#app/firebase/auth-error.server.ts";
import { joinHeaders } from "#app/http/headers.ts";
import { getSessionCookie } from "#app/session/session.server.ts";
import { getVerifiedSession } from "#app/session/user.server.ts";

/** Where an answer goes that nobody here asked for. */
const UNKNOWN: GoogleAttempt = { screen: "sign-in", returnTo: "/home", uid: null };

/** Takes Google's answer, and leads back to where it was asked for. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  if (!new URL(request.url).searchParams.has("state")) return redirect("/home");
  const google = getGoogle(context);
  const session = getSessionCookie(context);
  const asked = await google.recall(request);
  const place = { ...(asked ?? UNKNOWN), flow: readFlow(request) };
  const forgotten: Record<string, string> = asked ? { "Set-Cookie": google.forget(request) } : {};
  try {
    const owner = asked?.screen === "link" ? await requireOwner() : undefined;
    const tokens = await google.finish(request, asked, owner?.idToken);
    const cookie = owner
      ? await session.start(request, tokens, owner.sessionId ?? undefined)
      : await enter({ request, context }, tokens);
    return welcome(request, place, joinHeaders(forgotten, cookie));
  } catch (error) {
    return await refuse({ request, context }, place, error, new Headers(forgotten));
  }

  /** Returns the session of the person who began to link, if it still is them. */
  async function requireOwner() {
    const { user } = await getVerifiedSession({ request, context });
    if (!user) throw toProviderError("TOKEN_EXPIRED");
    if (user.uid !== asked?.uid) throw new ProviderError("invalid-credential", undefined);
    const { idToken, sessionId } = user;
    if (!idToken) throw new ProviderError("network-request-failed", undefined);
    return { idToken, sessionId };
  }
}
