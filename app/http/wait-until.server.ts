import type { AppLoadContext } from "@remix-run/cloudflare";

/**
 * Returns how to keep something going after the answer, where the edge offers that. It has 30 s, and must not reject.
 *
 * @see https://developers.cloudflare.com/workers/runtime-apis/context/#waituntil
 */
export function getDefer({
  cloudflare,
}: AppLoadContext): ((promise: Promise<unknown>) => void) | null {
  const { ctx } = cloudflare;
  return ctx ? (promise) => ctx.waitUntil(promise) : null;
}
