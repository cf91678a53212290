import type { FormError } from "#app/http/form.ts";
import type { MessageIntent } from "#app/chat/message-intents.ts";
import type { Message } from "#app/chat/message.ts";
import type { QuotedStories } from "#app/chat/quotes/quoted-story.ts";
import type { Locale } from "#app/site/locale/locale.ts";

/** The parameter with `MessagePageData.returnTo`, once it is known. */
export const RETURN_PARAM = "returnTo";

/** The parameter with which the page asks if the message should be deleted. */
export const DELETE_PARAM = "delete";

/** What the page of forms for a message shows. */
export interface MessagePageData {
  /** `null` if there is none, or it cannot be read. */
  message: Message | null;
  isUnavailable: boolean;
  /** The signed-in user. */
  uid: string | undefined;
  /** The people whose messages the user has hidden, as far as the browser knows. */
  hiddenUids: readonly string[];
  /** Whether its sender can still edit it. */
  isEditable: boolean;
  /** Whether the page asks if the message should be deleted. */
  isDeletion: boolean;
  /** The path of the page. */
  path: string;
  /** The address of the room on the page from which the user came. */
  returnTo: string;
  /** The id of the message that replies to it. */
  nextId: string;
  /** The stories that the message quotes. */
  stories: QuotedStories;
  locale: Locale;
}

/** What the forms of the page submit, without their intent. */
export const MESSAGE_PAGE_FIELDS = [
  "uid",
  "quote",
  "text",
  "messageId",
  "message",
  "person",
  "name",
  "kind",
  "details",
] as const;

/** What a form of the page is for. */
export type MessagePageIntent = MessageIntent | "reply";

/** Why a form of the page failed, with what was submitted. */
export interface MessagePageResult {
  intent: MessagePageIntent;
  error: FormError;
  values: Record<(typeof MESSAGE_PAGE_FIELDS)[number], string>;
}
