import type { Draft } from "./message.ts";
import type { SendReply } from "./room-data.ts";

const TIMEOUT_MS = 30_000;

const OFFLINE = "You seem to be offline. Nothing was lost; try again.";
const CLOSED = "Inkglade is closed for maintenance. Nothing was lost; try again in a few minutes.";
const UNREACHABLE = "We can't reach the room right now. Nothing was lost; try again.";

/** A message on its way to the room. */
export interface MessagePost extends Draft {
  /** The person it was written by. The server refuses it while somebody else is signed in. */
  uid: string | undefined;
}

/**
 * Sends a message from a page that runs scripts. Never throws: whatever stands between the page and
 * the server, the text comes back with a sentence.
 */
export async function postMessage({ id, text, uid }: MessagePost): Promise<SendReply> {
  try {
    const response = await fetch("/rooms/general/messages", {
      method: "POST",
      body: new URLSearchParams({ id, text, ...(uid !== undefined && { uid }) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const reply: unknown = await response.json().catch(() => null);
    if (isSendReply(reply)) return reply;
    const isClosed = response.status === 503 && response.headers.has("Retry-After");
    return refuse(isClosed ? CLOSED : UNREACHABLE);
  } catch (error) {
    // By the standard of `fetch`, which has no other name for a network that fails.
    return refuse(error instanceof TypeError ? OFFLINE : UNREACHABLE);
  }

  function refuse(hint: string): SendReply {
    return { status: "refused", reason: "unreachable", id, text, message: "Not sent.", hint };
  }
}

/** Our own server sends nothing else under these names; anything that stands in its place does not send them. */
function isSendReply(reply: unknown): reply is SendReply {
  const isObject = typeof reply === "object" && reply !== null;
  return isObject && "status" in reply && (reply.status === "sent" || reply.status === "refused");
}
