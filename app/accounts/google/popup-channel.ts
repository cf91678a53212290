import type { FormError } from "#app/http/form.ts";
import { openChannel } from "#app/http/browser-tabs.ts";

/** The message that a pop-up posts when Google's sign-in has finished. */
export type GoogleResult = GoogleSuccess | GoogleFailure;

interface GoogleSuccess {
  /** The id of the pop-up. */
  popupId: string;
  error: null;
  /** The path that sign-in leads to. */
  returnTo: string;
}

interface GoogleFailure {
  /** The id of the pop-up. */
  popupId: string;
  error: FormError;
}

/** A `BroadcastChannel`, because Google's pages may cut the pop-up off from `window.opener`. */
export const CHANNEL = "google-sign-in";

/** Returns an unguessable id for a pop-up. */
export function createPopupId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Whether the page can receive messages from a pop-up. If not, the page itself has to go to Google. */
export function hasBroadcastChannel(): boolean {
  const channel = openChannel(CHANNEL);
  channel?.close();
  return channel !== null;
}

/** Calls back with the result of a pop-up, which then closes itself. Returns a function that unsubscribes. */
export function subscribe(popupId: string, onResult: (result: GoogleResult) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    if (!isResult(data) || data.popupId !== popupId) return;
    channel.postMessage({ received: popupId });
    onResult(data);
  });
  return () => channel.close();
}

function isResult(data: unknown): data is GoogleResult {
  if (!isRecord(data) || typeof data.popupId !== "string") return false;
  const { error, returnTo } = data;
  if (error === null) return typeof returnTo === "string";
  return isRecord(error) && typeof error.message === "string";
}

function isRecord(data: unknown): data is Record<string, unknown> {
  return typeof data === "object" && data !== null;
}
