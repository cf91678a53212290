import type { FormError } from "#app/http/form.ts";
import type { Flash } from "#app/site/flash/flash.ts";

/** What a user can do about a message on its page of forms, and what the room says when it was done. */
export const DONE_NOTICES = {
  edit: { message: "Your message was changed." },
  delete: { message: "Your message was deleted." },
  hide: {
    message: "You won't see their messages any more.",
    hint: "You can undo this on your profile, under Hidden.",
  },
  report: { message: "Thank you. We look at reports every day." },
} satisfies Record<string, FormError>;

export type MessageIntent = keyof typeof DONE_NOTICES;

/** Returns the intent of that name, if there is one. */
export function findMessageIntent(name: string | null | undefined): MessageIntent | null {
  return name && Object.hasOwn(DONE_NOTICES, name) ? (name as MessageIntent) : null; // one of the keys
}

/** Returns the flash with which the room says that it was done. */
export function toFlash(intent: MessageIntent): Flash {
  return `message-${intent}`;
}

/** Returns what was done before a page with this flash, if it was about a message. */
export function findDone(flash: Flash | null): MessageIntent | null {
  return findMessageIntent(flash?.replace(/^message-/, ""));
}

/** Returns the address of the page of forms for a message. Without scripts, it is in the place of the message's menu. */
export function toMessagePagePath(id: string): string {
  return `/rooms/general/messages/${id}/actions`;
}
