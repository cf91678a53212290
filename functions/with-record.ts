import type { RequestRecord } from "../app/load-context.ts";

/** The parts of Remix's server build that are used here. */
interface Build {
  routes: Record<string, { path?: string } | undefined>;
  entry: { module: { recordCalls: <T>(record: RequestRecord, method: string, run: () => T) => T } };
}

interface RecordedContext {
  request: Request;
  data: { record?: RequestRecord };
}

/** Adds the route and the outgoing calls to the request's record while a handler runs. */
export function withRecord<Context extends RecordedContext>(
  build: Build,
  handle: (context: Context) => Response | Promise<Response>,
): (context: Context) => Promise<Response> {
  const findRoute = createRouteFinder(build.routes);
  const { recordCalls } = build.entry.module;
  return async (context) => {
    const { record } = context.data;
    if (!record) return handle(context);
    record.route = findRoute(new URL(context.request.url).pathname);
    return recordCalls(record, context.request.method, () => handle(context));
  };
}

/** Returns a function that returns the pattern of a path. It is only used for the log: Remix finds the route itself. */
function createRouteFinder(routes: Build["routes"]): (pathname: string) => string {
  const patterns = Object.values(routes)
    .flatMap((route) => (route?.path && route.path !== "*" ? [`/${route.path}`] : []))
    // "/read/:id.md" comes before "/read/:id".
    .sort((one, other) => other.length - one.length)
    .map((pattern) => ({ pattern, expression: toExpression(pattern) }));
  return (pathname) => {
    const path = pathname.replace(/\.data$/, "").replace(/^\/_root$/, "/");
    if (path === "/") return path;
    return patterns.find(({ expression }) => expression.test(path))?.pattern ?? "*";
  };
}

function toExpression(pattern: string): RegExp {
  const source = pattern.replaceAll(".", "\\.").replaceAll(/:\w+/g, "[^/]+");
  return new RegExp(`^${source}/?$`);
}
