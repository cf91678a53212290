import type { LogPage } from "#app/chat/moderation/log.ts";
import type { MutedPerson, ReportedMessage } from "#app/chat/moderation/reports.ts";
import type { Locale } from "#app/site/locale/locale.ts";

/** The parameters of the tab's URL: the reported message for which a step is to be confirmed, and a page of the log. */
export const MUTE_PARAM = "mute";
export const UNPUBLISH_PARAM = "unpublish";
export const LOG_PARAM = "log";

export const REPORTS_TAB_PATH = "/profile?tab=reports";

/** What operators see on the tab. */
export interface ReportsView {
  /** How many messages have open reports. */
  total: number;
  /** The first of them. */
  messages: ReportedMessage[];
  muted: MutedPerson[];
  log: LogPage;
  /** The step that is to be confirmed, and the id of its message. */
  confirmation: { step: "mute" | "unpublish"; messageId: string } | null;
  locale: Locale;
  /** When the page was rendered, in milliseconds since the Unix epoch. */
  now: number;
}
