import * as z from "zod";

import { LOOPBACK } from "../ports.ts";

const REDIRECT_HOSTS = [LOOPBACK, "localhost", "[::1]"];

/** The parameters that Google requires, and those of PKCE, which are optional at Google. */
const requestSchema = z.object({
  client_id: z.string().min(1),
  redirect_uri: z.url({ protocol: /^https?$/ }).refine(isLoopback, "redirect_uri_mismatch"),
  response_type: z.literal("code"),
  scope: z.string().refine((scope) => scope.split(" ").includes("openid"), "must ask for openid"),
  state: z.string().optional(),
  nonce: z.string().optional(),
  code_challenge: z.string().regex(/^[\w-]{43}$/),
  code_challenge_method: z.literal("S256"),
});

export type AuthorizationRequest = z.infer<typeof requestSchema>;

/**
 * Reads the query of an authorization request.
 *
 * An invalid request must get an error page, not a redirect: its `redirect_uri` cannot be trusted.
 *
 * @throws z.ZodError naming the invalid parameters
 */
export function readAuthorizationRequest(query: URLSearchParams): AuthorizationRequest {
  return requestSchema.parse(Object.fromEntries(query));
}

/** Returns the redirect URL with the code or the error. */
export function toRedirectUrl(
  { redirect_uri, state, scope }: AuthorizationRequest,
  result: { code: string } | { error: string },
): string {
  const url = new URL(redirect_uri);
  if (state !== undefined) url.searchParams.set("state", state);
  url.searchParams.set("iss", "https://accounts.google.com");
  for (const [name, value] of Object.entries(result)) url.searchParams.set(name, value);
  if ("code" in result) {
    const extra = { scope, authuser: "0", prompt: "consent" };
    for (const [name, value] of Object.entries(extra)) url.searchParams.set(name, value);
  }
  return url.href;
}

/** Restricts redirects to this machine, so that no other site receives an account's data. */
function isLoopback(url: string): boolean {
  return REDIRECT_HOSTS.includes(new URL(url).hostname);
}
