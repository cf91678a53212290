import type { Flash } from "#app/site/flash/flash.ts";

/** What a user can do about a message on its page of forms. */
export const MESSAGE_INTENTS = ["edit", "delete", "hide", "report"] as const;

export type MessageIntent = (typeof MESSAGE_INTENTS)[number];

/** The flash with which the room says that it was done. */
export const DONE_FLASHES = {
  edit: "message-edited",
  delete: "message-deleted",
  hide: "person-hidden",
  report: "message-reported",
} as const satisfies Record<MessageIntent, Flash>;

/** Returns what was done before a page with this flash, if it was about a message. */
export function findDone(flash: Flash | null): MessageIntent | null {
  return MESSAGE_INTENTS.find((intent) => DONE_FLASHES[intent] === flash) ?? null;
}

/** Returns the address of the page of forms for a message. Without scripts, it is in the place of the message's menu. */
export function toMessagePagePath(id: string): string {
  return `/rooms/general/messages/${id}/actions`;
}
