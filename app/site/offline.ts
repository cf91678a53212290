import { isRouteErrorResponse, type ClientActionFunctionArgs } from "@remix-run/react";

import { describeError } from "#app/http/form.ts";
import type { ActionResult } from "#app/session/action-result.ts";
import { isMaintenance } from "#app/site/maintenance/maintenance.tsx";

/** The result of a client action whose request failed. */
export interface Offline {
  /** `server` also stands for the error page of a proxy. */
  offline: "network" | "maintenance" | "server";
}

const MESSAGES: Record<Offline["offline"], string> = {
  network: "You seem to be offline. Nothing was lost; try again.",
  maintenance: "Inkglade is down for maintenance. Nothing was lost; try again in a few minutes.",
  server: "Inkglade didn't respond. Nothing was lost; try again.",
};

export function isOffline(result: unknown): result is Offline {
  return typeof result === "object" && result !== null && "offline" in result;
}

export function offlineMessage({ offline }: Offline): string {
  return MESSAGES[offline];
}

/** Returns why a form was not saved; `undefined` if it was, or has not been sent. */
export function findFormError(result: ActionResult | Offline | undefined): string | undefined {
  if (isOffline(result)) return offlineMessage(result);
  return result?.status === "error" ? describeError(result) : undefined;
}

/** Adds the error banner of the account forms: the Firebase SDK's message, with ours as the hint. */
export function withOfflineBanner({ offline }: Offline) {
  const banner = {
    message:
      "Firebase: A network AuthError (such as timeout, interrupted connection or unreachable host) has occurred. (auth/network-request-failed).",
    hint: offlineMessage({ offline }),
  };
  return { offline, banner };
}

/**
 * Calls the server action. If the request fails it returns the reason instead of throwing, because an error boundary
 * would replace the page and everything typed on it.
 *
 * @throws redirects and 4xx error responses of the action
 */
export async function withOfflineFallback<T>(serverAction: () => Promise<T>): Promise<T | Offline> {
  try {
    return await serverAction();
  } catch (error) {
    const isRedirect = error instanceof Response;
    const isClientError = isRouteErrorResponse(error) && error.status < 500;
    if (isRedirect || isClientError) throw error;
    if (isMaintenance(error)) return { offline: "maintenance" };
    // `fetch` rejects with a `TypeError` on network errors.
    return { offline: error instanceof TypeError ? "network" : "server" };
  }
}

/** The client action of forms that do not show a message themselves. */
export function clientAction({ serverAction }: ClientActionFunctionArgs) {
  return withOfflineFallback(() => serverAction());
}
