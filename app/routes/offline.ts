import { isRouteErrorResponse, type ClientActionFunctionArgs } from "@remix-run/react";

import { isMaintenance } from "#app/features/maintenance/maintenance.tsx";

/** A page that was not reached leaves this in place of its action's answer. */
interface Offline {
  offline: true;
}

/** Returns what a sign-in screen shows then: the SDK's words, and below them ours. */
export function describeOffline() {
  const banner = {
    message:
      "Firebase: A network AuthError (such as timeout, interrupted connection or unreachable host) has occurred. (auth/network-request-failed).",
    hint: "You seem to be offline. Nothing was lost; try again.",
  };
  return { offline: true, banner };
}

/**
 * Asks the server, and returns `{ offline: true }` where it cannot be reached: the page stays as it is,
 * instead of giving way to an error with everything that is typed on it.
 */
export async function askServer<T>(serverAction: () => Promise<T>): Promise<T | Offline> {
  try {
    return await serverAction();
  } catch (error) {
    // What the server refused it explains on a page of its own. Everything else says that it did not get
    // to answer: no network, maintenance, a fault, or somebody else's error page in between.
    const isRedirect = error instanceof Response;
    const isRefusal = isRouteErrorResponse(error) && error.status < 500;
    if (isRedirect || (isRefusal && !isMaintenance(error))) throw error;
    return { offline: true };
  }
}

/** The client action of a form whose page has nothing to lose but its place. */
export function clientAction({ serverAction }: ClientActionFunctionArgs) {
  return askServer(() => serverAction());
}
