import type { ServerBuild } from "@remix-run/cloudflare";

type Route = ServerBuild["routes"][string];

/**
 * Returns a function that finds the handler for a request. A handler has only the routes that the first segment of the
 * path allows, because Remix compares each request with all of its routes, several times for a page. Each handler is
 * created by the first request that needs it.
 *
 * @param createHandler called with a build that has only some of the routes
 */
export function withRouteSubsets<Build extends Pick<ServerBuild, "routes" | "assets">, Handler>(
  build: Build,
  createHandler: (build: Build) => Handler,
): (request: Request) => Handler {
  const handlers = new Map<string | undefined, Handler>();
  const browserManifest = serializeManifest(build.assets);
  const segments = new Set(Object.values(build.routes).map((route) => getFixedSegment(route)));

  function createHandlerFor(segment: string | undefined): Handler {
    const mayMatch = (route: Route) => [undefined, segment].includes(getFixedSegment(route));
    const routes = Object.entries(build.routes).filter(([, route]) => mayMatch(route));
    const assets = routes.flatMap(([id]) => {
      const asset = build.assets.routes[id];
      return asset ? [[id, asset] as const] : [];
    });
    return createHandler({
      ...build,
      routes: Object.fromEntries(routes),
      // Enough to render on the server. Browsers get the whole manifest, because they navigate to other routes.
      assets: { ...build.assets, routes: Object.fromEntries(assets), browserManifest },
    });
  }

  return (request) => {
    const firstSegment = getFirstSegment(new URL(request.url).pathname);
    const segment = segments.has(firstSegment) ? firstSegment : undefined;
    const handler = handlers.get(segment) ?? createHandlerFor(segment);
    handlers.set(segment, handler);
    return handler;
  };
}

/**
 * Returns the manifest for browsers, which every page contains. Omits Remix's default values and the imports that every
 * page has already loaded, which together are a third of it.
 */
function serializeManifest({ entry, routes, ...manifest }: ServerBuild["assets"]): string {
  const loaded = new Set([entry.module, ...entry.imports]);
  const browserRoutes = Object.entries(routes).map(([id, { imports = [], ...route }]) => {
    return [id, { ...route, imports: imports.filter((file) => !loaded.has(file)) }] as const;
  });
  return JSON.stringify(
    { ...manifest, entry, routes: Object.fromEntries(browserRoutes) },
    (_, value: unknown) => (isAssumed(value) ? undefined : value),
  );
}

function isAssumed(value: unknown): boolean {
  return value === false || (Array.isArray(value) && value.length === 0);
}

/** Returns the first segment of all paths that a route matches; `undefined` if they have different ones. */
function getFixedSegment({ parentId, path = "", caseSensitive }: Route): string | undefined {
  const [segment = ""] = path.split("/");
  const isFixed = parentId === "root" && caseSensitive && /^[\w.-]+$/.test(segment);
  return isFixed ? segment : undefined;
}

/** Returns the first segment of the path that Remix matches: decoded, and without the suffix of data requests. */
function getFirstSegment(pathname: string): string {
  const [, segment = ""] = pathname.replace(/\.data$/, "").split("/");
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
