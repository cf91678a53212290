import { redirect, type AppLoadContext, type TypedResponse } from "@remix-run/cloudflare";
import { decodeJwt } from "jose";

import { getIdentityToolkit, type Tokens } from "#app/firebase/identity-toolkit.server.ts";
import { joinHeaders } from "#app/http/headers.ts";
import { getWaitUntil } from "#app/http/wait-until.server.ts";
import { getSessionRegistry } from "#app/session/registry.server.ts";
import { clearReturnTo, getReturnTo } from "#app/session/return-to.server.ts";
import { getSessionCookie } from "#app/session/session.server.ts";
import { revokeSession } from "#app/session/sign-out.server.ts";
import { getSessionChecks } from "#app/session/user.server.ts";
import { MAX_NAME_LENGTH } from "#app/session/user.ts";
import { setFlash } from "#app/site/flash/flash.server.ts";
import type { Flash } from "#app/site/flash/flash.ts";
import { getAccounts } from "./account.server.ts";

interface RequestArgs {
  request: Request;
  context: AppLoadContext;
}

interface SignInOptions {
  /** Sent along with the session cookie. */
  headers?: HeadersInit;
  /** Shown on the profile, so sign-in redirects there. */
  flash?: Flash;
}

/**
 * Completes every way to sign in: creates the session, and redirects to the page that `setReturnTo` has stored, or to
 * /profile.
 */
export async function completeSignIn(
  args: RequestArgs,
  tokens: Tokens,
  { headers = {}, flash }: SignInOptions = {},
): Promise<TypedResponse<never>> {
  const { request } = args;
  const returnTo = flash ? null : getReturnTo(request);
  const isDirect = returnTo !== null && returnTo.label === null;
  return redirect(isDirect ? returnTo.path : "/profile", {
    headers: joinHeaders(
      headers,
      await createSession(args, tokens),
      flash ? setFlash(request, flash) : {},
      isDirect ? clearReturnTo(request) : {},
    ),
    status: 303,
  });
}

/** Signs the user out: destroys the cookie and revokes the session in the registry. Returns the headers. */
export async function signOut({ request, context }: RequestArgs): Promise<Headers> {
  const pending = await revokeSession({ request, context });
  return joinHeaders(
    pending,
    pending.has("Set-Cookie") ? setFlash(request, "sign-out-pending") : {},
    getSessionCookie(context).destroySession(request),
  );
}

/** Creates a session in the registry, if Firestore can be reached, and returns the headers with its cookie. */
async function createSession({ request, context }: RequestArgs, tokens: Tokens): Promise<Headers> {
  const uid = decodeJwt(tokens.idToken).sub ?? "";
  const registry = getSessionRegistry(context);
  const [sessionId, pending] = await Promise.all([
    registry.add({ uid, idToken: tokens.idToken }, request),
    // A browser has one session, so the previous one ends.
    revokeSession({ request, context }),
  ]);
  if (sessionId !== undefined) {
    getSessionChecks(context).markListed({ uid, sessionId });
    getWaitUntil(context)?.(registry.deleteExpired({ uid, idToken: tokens.idToken }));
  }
  const cookie = getSessionCookie(context);
  const headers = await cookie
    .createSession(request, tokens, sessionId)
    .catch(async (error: unknown) => {
      if (!(error instanceof RangeError)) throw error;
      const shorter = await shortenTokens(context, tokens);
      return cookie.createSession(request, shorter, sessionId);
    });
  return joinHeaders(pending, headers);
}

/**
 * Deletes the account's photo, and a name that is too long, and returns tokens without them. The cookie contains the
 * token, and the provider also has photos and names that the profile's form would reject.
 */
async function shortenTokens(context: AppLoadContext, tokens: Tokens): Promise<Tokens> {
  const { name } = decodeJwt(tokens.idToken);
  const isShort = typeof name === "string" && name.length <= MAX_NAME_LENGTH;
  const profile = { displayName: isShort ? name : "", photoURL: "" };
  await getAccounts(context).updateProfile(tokens.idToken, profile);
  return getIdentityToolkit(context).refresh(tokens.refreshToken);
}
