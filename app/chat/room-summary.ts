/** A number of people, each counted once. */
export interface PeopleCount {
  value: number;
  /** Whether there are more. */
  hasMore: boolean;
}

/** What the header of every page shows of the room. */
export interface RoomSummary {
  /** The people in the room; `null` while unknown. */
  here: PeopleCount | null;
  /** The newest message, its time in milliseconds since the Unix epoch; `null` while unknown, and in an empty room. */
  newest: { uid: string; createdAt: number } | null;
}

export function formatPeopleCount({ value, hasMore }: PeopleCount): string {
  return `${value.toLocaleString("en")}${hasMore ? "+" : ""}`;
}
