import { onRequest as handleRoute } from "../functions/[[path]].ts";
import { onRequest as handleRequest } from "../functions/_middleware.ts";

type RouteContext = Parameters<typeof handleRoute>[0];
type Env = NonNullable<Parameters<typeof handleRequest>[0]["env"]>;
type ExecutionContext = Pick<RouteContext, "waitUntil" | "passThroughOnException">;

/** Runs the functions of Cloudflare Pages as a Worker. Cloudflare serves static files without it. */
export default {
  fetch(request: RouteContext["request"], env: Env, ctx: ExecutionContext): Promise<Response> {
    const data = {};
    const waitUntil = (promise: Promise<unknown>) => ctx.waitUntil(promise);
    return handleRequest({
      ...{ request, env, data, waitUntil },
      next: (changed = request) =>
        handleRoute({
          ...{ env, data, waitUntil, params: {} },
          // A changed request has the `cf` of the original, or none, as on Pages.
          request: changed as RouteContext["request"],
          functionPath: "/",
          passThroughOnException: () => ctx.passThroughOnException(),
          next: () => Promise.resolve(new Response(null, { status: 404 })),
        }),
    });
  },
};
