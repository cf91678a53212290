import type { AnswersSummary } from "./answers/answer.ts";

/** A number of people, each counted once. */
export interface PeopleCount {
  value: number;
  /** Whether there are more people than `value`. */
  hasMore: boolean;
}

/** Who has sent a message, and when, as in `Message`. */
export interface NewestMessage {
  uid: string;
  createdAt: number;
}

/** What the header of every page shows of the room. */
export interface RoomSummary {
  /** The people in the room; `null` while unknown. */
  here: PeopleCount | null;
  /** `null` while unknown, in an empty room, and if the user has hidden its sender. */
  newest: NewestMessage | null;
  /** What answers the user has not read, and what else is new to them; `null` without any, absent while unknown. */
  answers?: AnswersSummary | null;
  /** Whether the user's session has ended, so that an open page shows it soon. @default false */
  hasEnded?: boolean;
}

export function formatPeopleCount({ value, hasMore }: PeopleCount): string {
  return `${value.toLocaleString("en")}${hasMore ? "+" : ""}`;
}
