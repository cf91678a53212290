import type { LogPage } from "#app/chat/moderation/log.ts";
import type { MutedPage, ReportPage } from "#app/chat/moderation/reports.ts";
import type { Locale } from "#app/site/locale/locale.ts";

/** The parameters of the tab's URL: the key of the reports for which a step is to be confirmed, and pages of the lists. */
export const DELETE_PARAM = "delete";
export const MUTE_PARAM = "mute";
export const UNPUBLISH_PARAM = "unpublish";
export const QUEUE_PARAM = "after";
export const MUTED_PARAM = "muted";
export const LOG_PARAM = "log";

/** The id of the heading above the reports. */
export const QUEUE_ID = "reports-heading";

/**
 * Returns the parameters of the tab, on the same pages of the lists.
 *
 * @param current the parameters of the page or of the submitted form
 * @param changes other values; `null` for the first page
 */
export function getReportsParams(
  current: URLSearchParams,
  changes: Record<string, string | null> = {},
): URLSearchParams {
  const params = new URLSearchParams({ tab: "reports" });
  for (const name of [QUEUE_PARAM, MUTED_PARAM, LOG_PARAM]) {
    const page = current.get(name);
    if (page !== null) params.set(name, page);
  }
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) params.delete(name);
    else params.set(name, value);
  }
  return params;
}

/** Returns the address of the tab with `getReportsParams`. */
export function toReportsPath(...args: Parameters<typeof getReportsParams>): string {
  return `/profile?${getReportsParams(...args)}`;
}

/** What is confirmed at an address of its own. A deletion only without scripts, because with them it can be undone. */
export type ModerationStep = "delete" | "mute" | "unpublish";

/** What operators see on the tab. */
export interface ReportsView extends ReportPage {
  muted: MutedPage;
  log: LogPage;
  /** The step that is to be confirmed, and the key of the reports. */
  confirmation: { step: ModerationStep; key: string } | null;
  locale: Locale;
  /** When the page was rendered, in milliseconds since the Unix epoch. */
  now: number;
}
