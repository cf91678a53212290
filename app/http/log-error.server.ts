import { findRequestId } from "./outgoing-calls.server.ts";

/** Logs an error with the id of its request, which is also in the request's line in the log. */
export function logError(message: string, error: unknown): void {
  // oxlint-disable-next-line no-console -- this is the server's log
  console.error(`[${findRequestId() ?? "local"}] ${message}`, error);
}
