/** The path of all reports, which only operators read. */
export const REPORTS_PATH = "reports";

/** What the `messageId` of a story's reports begins with. No message has such an id. `firestore.rules` has the same text. */
const STORY_PREFIX = "story~";

/** Returns the `messageId` of the reports of a story. */
export function toStoryReportsId(story: string): string {
  return `${STORY_PREFIX}${story}`;
}

/** Returns the id of the story that reports with this `messageId` are about; `null` if they are about a message. */
export function readReportedStory(messageId: string): string | null {
  return messageId.startsWith(STORY_PREFIX) ? messageId.slice(STORY_PREFIX.length) : null;
}

/** The reasons that a report offers. */
export const REPORT_KINDS = {
  spam: "Spam or advertising",
  abuse: "Harassment or hate",
  spoiler: "Spoiler",
  illegal: "Dangerous or illegal",
  other: "Something else",
} as const;

export type ReportKind = keyof typeof REPORT_KINDS;

/** Returns the reason of that name; the first one for any other text. */
export function readReportKind(name: string | undefined): ReportKind {
  return name !== undefined && Object.hasOwn(REPORT_KINDS, name) ? (name as ReportKind) : "spam"; // one of the keys
}

/**
 * The longest details of a report, in UTF-16 units. With the kind in front, they stay below the limit of 500 in the
 * rules.
 */
export const MAX_DETAILS_LENGTH = 400;
