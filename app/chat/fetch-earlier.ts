import { fetchJson } from "#app/http/fetch-json.ts";
import { readMessage, type MessagePage } from "./message.ts";
import { BEFORE_PARAM } from "./room-address.ts";

/** Fetches the page of messages before a cursor. Returns `null` if the room can't be reached. */
export function fetchEarlier(before: string): Promise<MessagePage | null> {
  const query = new URLSearchParams({ [BEFORE_PARAM]: before });
  return fetchJson(`/rooms/general/messages?${query}`, readPage);
}

function readPage(page: object): MessagePage | null {
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
