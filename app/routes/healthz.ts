import type { LoaderFunctionArgs } from "@remix-run/cloudflare";

import { respondWithJson } from "#app/http/headers.ts";
import { setRequestKind } from "#app/http/outgoing-calls.server.ts";
import { getWaitUntil } from "#app/http/wait-until.server.ts";
import { getHealthCheck } from "#app/site/health.server.ts";

/** Shows monitors whether the environment and Firebase work: 200 or 503. docs/deploy.md explains each problem. */
export async function loader({ context }: LoaderFunctionArgs): Promise<Response> {
  // Calls every service, even while its circuit breaker is open.
  setRequestKind("long");
  const checking = getHealthCheck(context)();
  // Other requests wait for the same check, even after this client has disconnected.
  getWaitUntil(context)?.(checking.catch(() => {}));
  const health = await checking;
  return respondWithJson(health, { status: health.isHealthy ? 200 : 503 });
}
