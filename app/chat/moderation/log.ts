/** What operators do. `firestore.rules` has the same names. */
export const MODERATION_ACTIONS = [
  "delete",
  "mute",
  "lift",
  "dismiss",
  "unpublish",
  "picture",
] as const;

export type ModerationAction = (typeof MODERATION_ACTIONS)[number];

/** An entry of the log of what operators have done. */
export interface LogEntry {
  id: string;
  action: ModerationAction;
  /** Whether it was about the reports of a story, not of a message. */
  isStory: boolean;
  /** The operator's name. */
  byName: string;
  /** The id of the person whose message, mute or story it was. Several people can have the same name. */
  person: string;
  name: string;
  reason: string;
  /** The end of a mute, in milliseconds since the Unix epoch; `null` for other actions. */
  until: number | null;
  /** Milliseconds since the Unix epoch. */
  at: number;
}

/** Entries of the log, newest first. */
export interface LogPage {
  entries: LogEntry[];
  /** The cursor of the page with earlier ones; `null` if there are none. */
  before: string | null;
}
