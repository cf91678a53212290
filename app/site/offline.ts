import { isRouteErrorResponse, type ClientActionFunctionArgs } from "@remix-run/react";

import { isMaintenance } from "#app/site/maintenance/maintenance.tsx";

/** A page that was not reached leaves this in place of its action's answer. */
export interface Offline {
  /** No network, a switch that is off, or a server that failed, or somebody else's error page in between. */
  offline: "network" | "maintenance" | "server";
}

const MESSAGES: Record<Offline["offline"], string> = {
  network: "You seem to be offline. Nothing was lost; try again.",
  maintenance: "Inkglade is closed for maintenance. Nothing was lost; try again in a few minutes.",
  server: "Inkglade didn't respond. Nothing was lost; try again.",
};

/** Whether that is what an action answered. */
export function isOffline(answer: unknown): answer is Offline {
  return typeof answer === "object" && answer !== null && "offline" in answer;
}

/** Says why, and what can be done. */
export function offlineMessage({ offline }: Offline): string {
  return MESSAGES[offline];
}

/** Returns what a sign-in screen shows then: the SDK's words, and below them ours. */
export function withOfflineBanner({ offline }: Offline) {
  const banner = {
    message:
      "Firebase: A network AuthError (such as timeout, interrupted connection or unreachable host) has occurred. (auth/network-request-failed).",
    hint: offlineMessage({ offline }),
  };
  return { offline, banner };
}

/**
 * Asks the server, and returns why where it cannot be reached: the page stays as it is, instead of giving
 * way to an error with everything that is typed on it.
 */
export async function withOfflineFallback<T>(serverAction: () => Promise<T>): Promise<T | Offline> {
  try {
    return await serverAction();
  } catch (error) {
    // What the server refused it explains on a page of its own. Everything else says that it did not get to answer.
    const isRedirect = error instanceof Response;
    const isRefusal = isRouteErrorResponse(error) && error.status < 500;
    if (isRedirect || isRefusal) throw error;
    if (isMaintenance(error)) return { offline: "maintenance" };
    // By the standard of `fetch`, which has no other name for it.
    return { offline: error instanceof TypeError ? "network" : "server" };
  }
}

/** The client action of a form whose page has nothing to lose but its place. */
export function clientAction({ serverAction }: ClientActionFunctionArgs) {
  return withOfflineFallback(() => serverAction());
}
