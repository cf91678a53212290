/** The filters of the answers, each at `/profile?tab=answers&kind=…`. */
export const ANSWER_FILTERS = [
  { id: "all", label: "All" },
  { id: "replies", label: "Replies" },
  { id: "quotes", label: "Quotes" },
  { id: "chapters", label: "Chapters" },
] as const;

export type AnswerFilter = (typeof ANSWER_FILTERS)[number]["id"];

const ANSWERS_PATH = "/profile?tab=answers";

/** Returns the filter of that name, or the one that shows everything. */
export function findAnswerFilter(name: unknown): AnswerFilter {
  return ANSWER_FILTERS.find(({ id }) => id === name)?.id ?? "all";
}

/**
 * Returns the address of the answers.
 *
 * @param before the cursor of an earlier page
 */
export function toAnswersPath(filter: AnswerFilter, before?: string): string {
  const kind = filter === "all" ? "" : `&kind=${filter}`;
  return `${ANSWERS_PATH}${kind}${before === undefined ? "" : `&before=${encodeURIComponent(before)}`}`;
}

/** A reply, a quote, or a new story or chapter. Times are formatted. */
export interface AnswerRow {
  key: string;
  isNew: boolean;
  /** The address of the message in the room, or of the story. */
  path: string;
  name: string;
  /** What the person has done, such as "replied to you". */
  action: string;
  /** The sender's photo; for a story, its cover. */
  picture: { photoURL: string | null } | { story: string; cover: string };
  /** The story, if it is about one that can be read. */
  title: string | null;
  /** The words that it quotes. */
  quote: string | null;
  /** The beginning of the message; `null` without one, and if it is about a later part than the user has read. */
  words: string | null;
  isLater: boolean;
  day: string;
  isToday: boolean;
  time: string;
  /** The same in ISO 8601. */
  dateTime: string;
}

export interface AnswersView {
  filter: AnswerFilter;
  /** Newest first. */
  rows: AnswerRow[];
  counts: Record<AnswerFilter, number>;
  newCount: number;
  /** The time of the newest answer, in milliseconds since the Unix epoch. */
  until: number;
  /** The cursor of the next page; `null` at the end. */
  before: string | null;
  /** Whether these are not the newest. */
  isEarlier: boolean;
}
