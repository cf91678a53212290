import { data, redirectDocument } from "@remix-run/cloudflare";

import { MAINTENANCE } from "./maintenance-status.ts";

interface MaintenanceArgs {
  request: Request;
  context: {
    cloudflare: {
      env: object;
      request?: Request;
      /** What `functions/_middleware.ts` hands on. Absent in development, which has no middleware. */
      data?: { isUnderMaintenance?: boolean };
    };
  };
}

/**
 * Lets everybody through unless the app is switched off for maintenance. Needs nothing of the
 * environment to be valid.
 *
 * @throws a 503, or for a script that asks for a page's data a redirect that loads the document instead
 */
export function assertNotUnderMaintenance({
  request,
  context: { cloudflare },
}: MaintenanceArgs): void {
  if (cloudflare.data?.isUnderMaintenance !== true) return;
  const arrived = new URL(cloudflare.request?.url ?? request.url);
  const { pathname, search } = new URL(request.url);
  const isData = request.method === "GET" && arrived.pathname.endsWith(".data");
  throw isData ? redirectDocument(pathname + search) : data(MAINTENANCE, { status: 503 });
}
