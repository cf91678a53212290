import type { AppLoadContext } from "@remix-run/cloudflare";

/**
 * Returns the platform's `waitUntil`, or `null` if the platform has none. It keeps the Worker running after the response
 * until a promise is fulfilled, for at most 30 s. The promise must not reject.
 *
 * @see https://developers.cloudflare.com/workers/runtime-apis/context/#waituntil
 */
export function getWaitUntil({
  cloudflare,
}: AppLoadContext): ((promise: Promise<unknown>) => void) | null {
  const { ctx } = cloudflare;
  return ctx ? (promise) => ctx.waitUntil(promise) : null;
}
