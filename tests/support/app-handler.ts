import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { createRequestHandler, type ServerBuild } from "@remix-run/cloudflare";

import * as entry from "#app/entry.server.tsx";
import type { RequestRecord } from "#app/load-context.ts";
import routeConfig from "#app/routes.ts";
import { onRequest } from "../../functions/_middleware.ts";
import { withPageCache, type PageCache } from "../../functions/page-cache/with-page-cache.ts";
import { withRecord } from "../../functions/with-record.ts";
import { future } from "../../future.ts";
import { handleVerified } from "./verified-pages.tsx";

type RouteModule = ServerBuild["routes"][string]["module"];

const modules = import.meta.glob<RouteModule>([
  "../../app/root.tsx",
  "../../app/routes/*.{ts,tsx}",
]);

interface HandlerOptions {
  /** Without one, no page is cached. */
  cache?: PageCache;
  /** What is bound besides the variables. */
  bindings?: object;
  waitUntil?: (promise: Promise<unknown>) => void;
  /** Is called with each request that Remix handles. */
  onHandle?: (request: Request) => void;
  /** Is called with each response of Remix. */
  onRespond?: (response: Response) => void;
}

type HandlerContext = Parameters<Parameters<typeof withPageCache>[1]>[0];
type RequestOnCloudflare = Request & { cf?: { timezone?: unknown } };

/**
 * Returns a request handler for the whole app in this process: the middleware, the files in `public`, and Remix with every
 * route, as on Cloudflare Pages, but without workerd and without a build.
 */
export async function createAppHandler(
  variables: Record<string, string>,
  {
    cache,
    bindings = {},
    waitUntil = (promise) => void promise,
    onHandle,
    onRespond,
  }: HandlerOptions = {},
) {
  const build = await assembleBuild();
  const handleApp = createRequestHandler(build);
  const recorded = { ...build, entry: { module: entry } };
  const handle = withRecord(
    recorded,
    withPageCache(
      recorded,
      async ({ request, data, env }: HandlerContext) => {
        onHandle?.(request);
        const { cf = {} }: RequestOnCloudflare = request;
        const cloudflare = { env, request, data, cf, ctx: { waitUntil } };
        const response = await handleApp(request, { cloudflare });
        onRespond?.(response);
        return response;
      },
      () => cache,
    ),
  );
  const env = { ...variables, ...bindings, ASSETS: { fetch: fetchFile } };
  return (request: Request): Promise<Response> => {
    const data: { isUnderMaintenance?: boolean; record?: RequestRecord } = {};
    return onRequest({
      request,
      env: variables,
      data,
      next: async (asked = request) => {
        const file = asked.method === "GET" ? await fetchFile(asked.url) : undefined;
        if (file?.ok) return file;
        return handle({ request: asked, data, env, waitUntil });
      },
    });
  };
}

async function fetchFile(input: string | URL | Request): Promise<Response> {
  const { pathname } = new URL(input instanceof Request ? input.url : input);
  try {
    return new Response(await readFile(join("public", pathname)));
  } catch {
    return new Response(null, { status: 404 });
  }
}

/** Returns the server build that `remix vite:build` would generate, with the route modules of the source. */
async function assembleBuild(): Promise<ServerBuild> {
  const root = { id: "root", path: "", module: await load("root.tsx") };
  const routes: ServerBuild["routes"] = { root };
  for (const { file, path, index, caseSensitive } of routeConfig) {
    const id = file.replace(/\.tsx?$/, "");
    routes[id] = {
      id,
      parentId: "root",
      module: await load(file),
      ...(path !== undefined && { path }),
      ...(index !== undefined && { index }),
      ...(caseSensitive !== undefined && { caseSensitive }),
    };
  }
  return {
    mode: "production",
    entry: { module: { ...entry, default: handleVerified } },
    routes,
    assets: {
      entry: { imports: [], module: "/assets/entry.js" },
      routes: Object.fromEntries(Object.values(routes).map((route) => [route.id, describe(route)])),
      url: "/assets/manifest.js",
      version: "1",
    },
    basename: "/",
    publicPath: "/",
    assetsBuildDirectory: "build/client",
    future,
    isSpaMode: false,
  };
}

async function load(file: string): Promise<RouteModule> {
  const module = await modules[`../../app/${file}`]?.();
  if (!module) throw new TypeError(`There is no ${file}`);
  return module;
}

function describe({ module, ...route }: ServerBuild["routes"][string]) {
  return {
    ...route,
    hasAction: "action" in module,
    hasLoader: "loader" in module,
    hasClientAction: "clientAction" in module,
    hasClientLoader: "clientLoader" in module,
    hasErrorBoundary: "ErrorBoundary" in module,
    module: `/assets/${route.id}.js`,
  };
}
