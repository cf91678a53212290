import type { ShouldRevalidateFunctionArgs } from "@remix-run/react";

/**
 * Asks the server for a page again after a form, as Remix does, but for two cases: a message that a
 * script sent is shown by the listener, and a server that was not reached a moment ago would only turn
 * the page into an error.
 */
export function shouldRevalidate(args: ShouldRevalidateFunctionArgs): boolean {
  return isOffline(args.actionResult) || isMessageSent(args) ? false : args.defaultShouldRevalidate;
}

function isOffline(result: unknown): boolean {
  return typeof result === "object" && result !== null && "offline" in result;
}

/** A message that was refused is another matter: it may mean that the session has ended. */
function isMessageSent({ formData, actionStatus = 200 }: ShouldRevalidateFunctionArgs): boolean {
  return Boolean(formData?.has("stay") && formData.has("text")) && actionStatus < 400;
}
