import { toPassagePath } from "#app/chat/room-address.ts";
import { toStoryPath } from "#app/stories/book.ts";

/** A passage that messages in the room quote. */
export interface Mark {
  /** The id of the paragraph. */
  paragraph: string;
  /** The number of the paragraph, counted from 0. */
  number: number;
  /** How many messages quote it. */
  count: number;
}

/**
 * Returns the link to the messages, which comes after the paragraph.
 *
 * @param isCurrent whether the room shows these messages
 */
export function toMarkHtml(story: string, { paragraph, count }: Mark, isCurrent: boolean): string {
  const href = toPassagePath(`${toStoryPath(story)}#${paragraph}`, "room");
  const current = isCurrent ? ` aria-current="true"` : "";
  const label = describeMark(count);
  return `<a data-mark href="${href}" aria-label="${label}"${current}><span>${count}</span></a>`;
}

/** Returns the accessible name of the link. */
export function describeMark(count: number): string {
  return `${count} ${count === 1 ? "message" : "messages"} about this passage`;
}
