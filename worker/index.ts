import { onRequest as handleRoute } from "../functions/[[path]].ts";
import { onRequest as handleRequest } from "../functions/_middleware.ts";

type RouteContext = Parameters<typeof handleRoute>[0];
type Env = NonNullable<Parameters<typeof handleRequest>[0]["env"]>;
type ExecutionContext = Pick<RouteContext, "waitUntil" | "passThroughOnException">;

/** Runs the functions of Cloudflare Pages as a Worker. Cloudflare answers requests for static files without it. */
export default {
  fetch(request: RouteContext["request"], env: Env, ctx: ExecutionContext): Promise<Response> {
    const data = {};
    return handleRequest({
      ...{ request, env, data },
      next: (changed = request) =>
        handleRoute({
          ...{ env, data, params: {} },
          // Changed requests have the original's `cf`, or none, as on Pages.
          request: changed as RouteContext["request"],
          functionPath: "/",
          waitUntil: (promise) => ctx.waitUntil(promise),
          passThroughOnException: () => ctx.passThroughOnException(),
          next: () => Promise.resolve(new Response(null, { status: 404 })),
        }),
    });
  },
};
