import { readMessage, type MessagePage } from "./message.ts";
import { BEFORE_PARAM } from "./room-address.ts";

const TIMEOUT_MS = 10_000;

/** Fetches the page of messages before a cursor. Returns `null` if the room can't be reached. */
export async function fetchEarlier(before: string): Promise<MessagePage | null> {
  try {
    const query = new URLSearchParams({ [BEFORE_PARAM]: before });
    const response = await fetch(`/rooms/general/messages?${query}`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const page: unknown = response.ok ? await response.json() : null;
    return readPage(page);
  } catch {
    return null;
  }
}

/** A proxy or captive portal may answer in place of our server. */
function readPage(page: unknown): MessagePage | null {
  if (typeof page !== "object" || page === null) return null;
  if (!("messages" in page) || !Array.isArray(page.messages) || !("before" in page)) return null;
  const { before } = page;
  if (typeof before !== "string" && before !== null) return null;
  const messages = page.messages.flatMap((message: Record<string, unknown>) => {
    const { id, createdAt } = message;
    if (typeof id !== "string" || typeof createdAt !== "number") return [];
    return readMessage(id, message, createdAt) ?? [];
  });
  return { messages, before };
}
