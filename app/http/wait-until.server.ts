import type { AppLoadContext } from "@remix-run/cloudflare";

/**
 * Returns the platform's `waitUntil`, which keeps the Worker running after the response until a promise is fulfilled, for
 * 30 s at most. The promise must not reject. `null` where the platform has none.
 *
 * @see https://developers.cloudflare.com/workers/runtime-apis/context/#waituntil
 */
export function getWaitUntil({
  cloudflare,
}: AppLoadContext): ((promise: Promise<unknown>) => void) | null {
  const { ctx } = cloudflare;
  return ctx ? (promise) => ctx.waitUntil(promise) : null;
}
