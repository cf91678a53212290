import { hasStatus, postForm } from "#app/http/fetch-json.ts";
import type { MessageError, MessageInput, MessageResult } from "./message.ts";

const OFFLINE = "No connection. Your messages wait here and are sent automatically.";
const MAINTENANCE =
  "Inkglade is down for maintenance. Your messages wait here and are sent automatically.";
const UNAVAILABLE =
  "We can't reach the room right now. Your messages wait here and are sent automatically.";

/** A result, and after how many milliseconds the server accepts the next attempt, if it says so. */
export type PostResult = MessageResult & { retryAfterMs?: number };

/** Sends a message by script. Never rejects: every failure becomes an error with the text. */
export async function postMessage(message: MessageInput): Promise<PostResult> {
  const posted = await postForm("/rooms/general/messages", toMessageForm(message));
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

/** Returns the fields that the composer's form sends. */
export function toMessageForm({ id, text, uid, replyTo }: MessageInput): Record<string, string> {
  return {
    messageId: id,
    message: text,
    ...(uid !== undefined && { messageUid: uid }),
    ...(replyTo !== undefined && { messageReplyTo: replyTo }),
  };
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
