import type { MessageError, MessageInput, MessageResult } from "#app/chat/message.ts";

const POST_TIMEOUT_MS = 30_000;

const OFFLINE = "No connection. Your messages wait here and are sent automatically.";
const MAINTENANCE =
  "Inkglade is closed for maintenance. Your messages wait here and are sent automatically.";
const UNAVAILABLE =
  "We can't reach the room right now. Your messages wait here and are sent automatically.";

/** A result, and after how many milliseconds the server accepts the next attempt, if it says so. */
export type PostResult = MessageResult & { retryAfterMs?: number };

/** Sends a message by script. Never rejects: every failure becomes an error with the text. */
export async function postMessage(message: MessageInput): Promise<PostResult> {
  const { id, text, uid } = message;
  const fields = { messageId: id, message: text, ...(uid !== undefined && { messageUid: uid }) };
  try {
    const response = await fetch("/rooms/general/messages", {
      method: "POST",
      body: new URLSearchParams(fields),
      signal: AbortSignal.timeout(POST_TIMEOUT_MS),
    });
    const result: unknown = await response.json().catch(() => null);
    const retryAfter = Number(response.headers.get("Retry-After") ?? 0);
    if (isMessageResult(result)) {
      return retryAfter > 0 ? { ...result, retryAfterMs: retryAfter * 1000 } : result;
    }
    const isMaintenance = response.status === 503 && retryAfter > 0;
    return toError(message, "unavailable", isMaintenance ? MAINTENANCE : UNAVAILABLE);
  } catch (error) {
    // `fetch` rejects with a `TypeError` for every network error.
    return toError(message, "unavailable", error instanceof TypeError ? OFFLINE : UNAVAILABLE);
  }
}

/** A proxy or captive portal may answer in place of our server. */
function isMessageResult(result: unknown): result is MessageResult {
  const isObject = typeof result === "object" && result !== null;
  return isObject && "status" in result && (result.status === "sent" || result.status === "error");
}

/** Returns the error of a message that could not be sent. */
export function toError(
  { id, text }: MessageInput,
  reason: MessageError["reason"],
  hint: string,
): MessageError {
  return { status: "error", reason, id, text, message: "Not sent.", hint };
}
