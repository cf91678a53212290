import type { MessageError, MessageInput, MessageResult } from "./message.ts";

const TIMEOUT_MS = 30_000;

const OFFLINE = "No connection. Your messages wait here and are sent automatically.";
const MAINTENANCE =
  "Inkglade is down for maintenance. Your messages wait here and are sent automatically.";
const UNAVAILABLE =
  "We can't reach the room right now. Your messages wait here and are sent automatically.";

/** The response and its JSON, which is `null` if it has none; or why there is no response. */
type FormResponse =
  | { status: "responded"; response: Response; body: unknown }
  | { status: "offline" | "timed-out" };

/**
 * Posts a form by script. Never rejects.
 *
 * @param options.keepalive whether the request continues after the user has left the page
 */
export async function postForm(
  path: string,
  form: Record<string, string>,
  { keepalive = false } = {},
): Promise<FormResponse> {
  try {
    const response = await fetch(path, {
      method: "POST",
      body: new URLSearchParams(form),
      keepalive,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const body: unknown = await response.json().catch(() => null);
    return { status: "responded", response, body };
  } catch (error) {
    // `fetch` rejects with a `TypeError` for every network error.
    return { status: error instanceof TypeError ? "offline" : "timed-out" };
  }
}

/** Whether the body is one of our server's responses. A proxy or captive portal may respond in its place. */
export function hasStatus(body: unknown, statuses: readonly string[]): boolean {
  if (typeof body !== "object" || body === null || !("status" in body)) return false;
  return typeof body.status === "string" && statuses.includes(body.status);
}

/** A result, and after how many milliseconds the server accepts the next attempt, if it says so. */
export type PostResult = MessageResult & { retryAfterMs?: number };

/** Sends a message by script. Never rejects: every failure becomes an error with the text. */
export async function postMessage(message: MessageInput): Promise<PostResult> {
  const { id, text, uid } = message;
  const form = { messageId: id, message: text, ...(uid !== undefined && { messageUid: uid }) };
  const posted = await postForm("/rooms/general/messages", form);
  if (posted.status !== "responded") {
    return toError(message, "unavailable", posted.status === "offline" ? OFFLINE : UNAVAILABLE);
  }
  const { response, body } = posted;
  const retryAfter = Number(response.headers.get("Retry-After") ?? 0);
  if (isMessageResult(body)) {
    return retryAfter > 0 ? { ...body, retryAfterMs: retryAfter * 1000 } : body;
  }
  const isMaintenance = response.status === 503 && retryAfter > 0;
  return toError(message, "unavailable", isMaintenance ? MAINTENANCE : UNAVAILABLE);
}

function isMessageResult(body: unknown): body is MessageResult {
  return hasStatus(body, ["sent", "error"]);
}

/** Returns the error of a message that could not be sent. */
export function toError(
  { id, text }: MessageInput,
  reason: MessageError["reason"],
  hint: string,
): MessageError {
  return { status: "error", reason, id, text, message: "Not sent.", hint };
}
