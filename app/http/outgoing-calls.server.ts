import { AsyncLocalStorage } from "node:async_hooks";

import type { OutgoingCall } from "#app/load-context.ts";

/** The services outlive a request, so a call finds its request's list here. */
const storage = new AsyncLocalStorage<OutgoingCall[]>();

/** Runs a request handler, and adds every outgoing call that it makes to `calls`. */
export function recordCalls<T>(calls: OutgoingCall[], run: () => T): T {
  return storage.run(calls, run);
}

/**
 * Fetches, and records the call for the log of its request.
 *
 * @param call the service and its method, without addresses or parameters, which may identify users
 */
export async function fetchRecorded(
  { service, method }: Pick<OutgoingCall, "service" | "method">,
  url: string | URL,
  init: RequestInit,
): Promise<Response> {
  const call: OutgoingCall = { service, method, status: null, ms: 0 };
  storage.getStore()?.push(call);
  const startedAt = performance.now();
  try {
    const response = await fetch(url, init);
    call.status = response.status;
    return response;
  } finally {
    call.ms = Math.round(performance.now() - startedAt);
  }
}
