import type { FormError } from "#app/http/form.ts";

/** The parameter of the page after a report was sent. */
export const SENT_PARAM = "sent";

/** What the page on which a story is reported shows. */
export interface ReportPageData {
  /** `null` if it is not published, or cannot be read. */
  story: { title: string; author: string } | null;
  isUnavailable: boolean;
  /** The signed-in user. */
  uid: string | undefined;
  /** Whether it is the user's own. */
  isOwn: boolean;
  isSent: boolean;
  /** The path of the page. */
  path: string;
  /** The path of the story. */
  storyPath: string;
}

/** Why a report was not sent, with what was submitted. */
export interface ReportPageResult {
  error: FormError;
  values: Record<"uid" | "kind" | "details", string>;
}
