import * as z from "zod";

import { oncePerEnv, type Env } from "#app/env.server.ts";
import { ProviderError } from "#app/firebase/auth-error.server.ts";
import type { Tokens } from "#app/firebase/identity-toolkit.server.ts";
import { createSealedCookie } from "#app/http/sealed-cookie.server.ts";
import { createGoogleIdentity } from "./google-identity.server.ts";
import { createGoogleOAuth, type OAuthSecrets } from "./google-oauth.server.ts";

/** Where Google sends people back to: to be named, after the origin, in the OAuth client's redirect URIs. */
const CALLBACK_PATH = "/auth/google/callback";

/** How long a person may take at Google. */
const MAX_AGE_SECONDS = 10 * 60;

const screenSchema = z.enum(["sign-in", "sign-up", "room", "link"]);

const attemptSchema = z.object({
  /** The screen whose button was pressed: it gets the answer. */
  screen: screenSchema,
  /** The page it stands on. */
  returnTo: z.string(),
  /** Who was signed in when linking began. */
  uid: z.string().nullable(),
});

const sealedSchema = attemptSchema.extend({
  state: z.string(),
  verifier: z.string(),
  nonce: z.string(),
}) satisfies z.ZodType<GoogleAttempt & OAuthSecrets>;

/** What somebody is about when they go to Google. */
export type GoogleAttempt = z.infer<typeof attemptSchema>;

/** The name that a page gives to the pop-up it opened. It stands at the beginning of the state, before a dot. */
const flowSchema = z.string().regex(/^[\da-z]{16,40}$/i);

/**
 * Signs people in with Google: sends them there, with a sealed cookie that lasts ten minutes and for one answer,
 * and takes them back in.
 */
export function createGoogleService(env: Env, now: () => number) {
  const oauth = createGoogleOAuth(env);
  const identity = createGoogleIdentity(env);
  const cookie = createSealedCookie(env, "google", {
    maxAgeSeconds: MAX_AGE_SECONDS,
    now,
  });

  return {
    /** Where forms must be allowed to lead; `null` where Google is not offered. */
    origin: oauth?.origin ?? null,

    /**
     * Returns where to send the browser, with the cookie to bring back.
     *
     * @param flow the name of the page's pop-up, `null` without one
     * @throws {ProviderError} `operation-not-allowed` where Google is not offered
     */
    async start(request: Request, attempt: GoogleAttempt, flow: string | null) {
      if (!oauth) throw new ProviderError("operation-not-allowed", undefined);
      const prefix = flow === null ? "" : `${flow}.`;
      const { url, ...secrets } = await oauth.begin(toRedirectUri(request), prefix);
      const sealed = await cookie.seal(request, { ...attempt, ...secrets });
      return { url, headers: { "Set-Cookie": sealed } };
    },

    /** Tells what an answer of Google's is for; `undefined` where this browser did not ask for it, or too long ago. */
    async recall(request: Request) {
      const sealed = sealedSchema.safeParse(await cookie.open(request)).data;
      return sealed?.state === readState(request) ? sealed : undefined;
    },

    /**
     * Signs in whoever comes back from Google.
     *
     * @param asked what the answer is for, as `recall` told
     * @param idToken of the person to link to Google
     * @throws {ProviderError}
     */
    async finish(
      request: Request,
      asked: OAuthSecrets | undefined,
      idToken?: string,
    ): Promise<Tokens> {
      if (!oauth || !asked) throw new ProviderError("invalid-credential", undefined);
      const answer = new URL(request.url).searchParams;
      const credential = {
        idToken: await oauth.redeem(answer, toRedirectUri(request), asked),
        nonce: asked.nonce,
      };
      return idToken === undefined
        ? identity.signIn(credential)
        : identity.link(credential, idToken);
    },

    /** Returns the `Set-Cookie` value that makes sure an answer counts once. */
    forget: (request: Request) => cookie.remove(request),
  };
}

/** Returns the name of the pop-up that an answer of Google's is for, or `null`. */
export function readFlow(request: Request): string | null {
  const [flow, rest] = readState(request)?.split(".") ?? [];
  return rest === undefined ? null : parseFlow(flow);
}

/** Returns the screen of that name, or else Sign In. */
export function parseScreen(value: unknown): GoogleAttempt["screen"] {
  return screenSchema.catch("sign-in").parse(value);
}

/** Returns a pop-up's name as it was sent, or `null`. */
export function parseFlow(value: unknown): string | null {
  return flowSchema.safeParse(value).data ?? null;
}

function readState(request: Request): string | null {
  return new URL(request.url).searchParams.get("state");
}

function toRedirectUri(request: Request): string {
  return new URL(CALLBACK_PATH, request.url).href;
}

export const getGoogle = oncePerEnv((env) => createGoogleService(env, () => Date.now()));
