import type { Message } from "#app/chat/message.ts";
import { REPORT_KINDS } from "#app/chat/report.ts";
import type { Mute } from "./mute.ts";

/** What one person has reported about a message. */
export interface Report {
  reporterName: string;
  /** One of `REPORT_KINDS`, or what an older report says. */
  kind: string;
  details: string;
  /** The message's text at that time, if it is not the one that is shown. */
  text: string | null;
  /** Milliseconds since the Unix epoch. */
  at: number;
}

/**
 * The `messageId` and the sender of reports. Both, because another person can use the id of a deleted message, and would
 * otherwise be taken for the sender of what was reported.
 */
export interface ReportsSubject {
  messageId: string;
  sender: string;
}

/** Returns the key of the reports of a sender's message. It is what the forms and addresses of the tab contain. */
export function toReportsKey({ messageId, sender }: ReportsSubject): string {
  return `${messageId}:${sender}`;
}

/** Returns whose message the reports with this key are about. No `messageId` has a colon. */
export function readReportsKey(key: string): ReportsSubject {
  const [messageId = "", ...sender] = key.split(":");
  return { messageId, sender: sender.join(":") };
}

/** A sender's message or story with all reports of it. */
export interface ReportedMessage {
  /** See `toReportsKey`. */
  key: string;
  isStory: boolean;
  /** As it was when it was reported. Of a story, its title and writer. */
  message: Message;
  /** Its address; `null` once it is deleted or unpublished. */
  path: string | null;
  /** Whether it is the operator's own, so that they can do nothing about it. */
  isOwn: boolean;
  /** The messages before and after it; `null` if there is none, or it was deleted. */
  before: Message | null;
  after: Message | null;
  /** The published story that it is, or is about, unless it is the operator's own. */
  story: { id: string; title: string } | null;
  /** Newest first. */
  reports: Report[];
}

/** Messages with open reports, those with the newest reports first. */
export interface ReportPage {
  /** How many there are, on all pages. */
  total: number;
  messages: ReportedMessage[];
  /** The cursor of the next page; `null` if there is none. */
  next: string | null;
}

/** A person who is muted now. */
export interface MutedPerson extends Mute {
  uid: string;
  name: string;
  /** When they were muted, in milliseconds since the Unix epoch. */
  at: number;
  /** Why they ask to post again; `null` if they have not asked. */
  appeal: string | null;
}

/** People who are muted now, those whose mute ends last first. */
export interface MutedPage {
  people: MutedPerson[];
  /** The cursor of the next page; `null` if there is none. */
  next: string | null;
}

/** For how long an operator can mute a person. */
export const MUTE_DURATIONS = {
  hour: { label: "For an hour", ms: 60 * 60_000 },
  day: { label: "For a day", ms: 24 * 60 * 60_000 },
  lifted: { label: "Until lifted", ms: Infinity },
} as const;

export type MuteDuration = keyof typeof MUTE_DURATIONS;

/** Splits a report's reason into its kind and the details. */
export function splitReason(reason: string): Pick<Report, "kind" | "details"> {
  const kind = Object.values(REPORT_KINDS).find(
    (label) => reason === label || reason.startsWith(`${label}: `),
  );
  return kind === undefined
    ? { kind: REPORT_KINDS.other, details: reason }
    : { kind, details: reason.slice(kind.length + 2) };
}
