import type { FormError } from "#app/accounts/form-error.ts";

/** What became of a sign-in in a pop-up. */
export interface GoogleOutcome {
  /** The name of the pop-up. */
  flow: string;
  refusal: FormError | null;
}

/** Not `window.opener`: Google's pages may cut a pop-up off from whoever opened it. */
export const CHANNEL = "google-sign-in";

/** Returns a name for a pop-up that nobody can guess. */
export function createFlow(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Whether a page can hear of its pop-up here. Without it the whole page has to go to Google. */
export function canHear(): boolean {
  try {
    new BroadcastChannel(CHANNEL).close();
    return true;
  } catch {
    // It is missing, or the browser does not let pages talk, as one that is to store nothing.
    return false;
  }
}

/** Calls back with what becomes of the pop-up of that name, which closes when it is heard. Returns how to stop. */
export function hear(flow: string, onOutcome: (outcome: GoogleOutcome) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    if (!isOutcome(data) || data.flow !== flow) return;
    channel.postMessage({ heard: flow });
    onOutcome(data);
  });
  return () => channel.close();
}

function isOutcome(data: unknown): data is GoogleOutcome {
  if (!isRecord(data) || typeof data.flow !== "string") return false;
  const { refusal } = data;
  return refusal === null || (isRecord(refusal) && typeof refusal.message === "string");
}

function isRecord(data: unknown): data is Record<string, unknown> {
  return typeof data === "object" && data !== null;
}
