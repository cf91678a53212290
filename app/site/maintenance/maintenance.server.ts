import { data, redirectDocument, type LoaderFunctionArgs } from "@remix-run/cloudflare";

import { MAINTENANCE } from "./maintenance.tsx";

/**
 * Throws during maintenance. Call it before anything that reads the environment, so that maintenance also works with
 * invalid variables.
 *
 * @throws during maintenance a 503, or for a data request a redirect that loads the document
 */
export function assertNotUnderMaintenance({
  request,
  context: { cloudflare },
}: Pick<LoaderFunctionArgs, "request" | "context">): void {
  if (cloudflare.data?.isUnderMaintenance !== true) return;
  const url = new URL(cloudflare.request?.url ?? request.url);
  const { pathname, search } = new URL(request.url);
  const isDataRequest = request.method === "GET" && url.pathname.endsWith(".data");
  throw isDataRequest ? redirectDocument(pathname + search) : data(MAINTENANCE, { status: 503 });
}
