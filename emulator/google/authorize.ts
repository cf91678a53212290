import * as z from "zod";

import { LOOPBACK } from "../ports.ts";

const REDIRECT_HOSTS = [LOOPBACK, "localhost", "[::1]"];

/** What Google asks of an authorization request, and of ours PKCE besides. */
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
 * Reads the query of an authorization request. One that is wrong is not answered to its sender, who may be anybody.
 *
 * @throws z.ZodError that names what is wrong
 */
export function readAuthorizationRequest(query: URLSearchParams): AuthorizationRequest {
  return requestSchema.parse(Object.fromEntries(query));
}

/** Returns where the browser goes with the answer. */
export function toAnswer(
  { redirect_uri, state, scope }: AuthorizationRequest,
  answer: { code: string } | { error: string },
): string {
  const url = new URL(redirect_uri);
  if (state !== undefined) url.searchParams.set("state", state);
  url.searchParams.set("iss", "https://accounts.google.com");
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
  if ("code" in answer) {
    const more = { scope, authuser: "0", prompt: "consent" };
    for (const [name, value] of Object.entries(more)) url.searchParams.set(name, value);
  }
  return url.href;
}

/** Nobody but this machine is told who somebody is. */
function isLoopback(url: string): boolean {
  return REDIRECT_HOSTS.includes(new URL(url).hostname);
}
