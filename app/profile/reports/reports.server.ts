import type { LoaderFunctionArgs } from "@remix-run/cloudflare";

import { getModeration } from "#app/chat/moderation/moderation.server.ts";
import { getReportQueue } from "#app/chat/moderation/report-queue.server.ts";
import { readCursor } from "#app/firebase/cursor.ts";
import { getPageValues } from "#app/http/page-record.server.ts";
import { catchUnavailable, UnavailableError } from "#app/http/unavailable-error.server.ts";
import type { AuthUser } from "#app/session/user.ts";
import { getLocale } from "#app/site/locale/locale.server.ts";
import {
  DELETE_PARAM,
  LOG_PARAM,
  MUTE_PARAM,
  MUTED_PARAM,
  QUEUE_PARAM,
  UNPUBLISH_PARAM,
  type ReportsView,
} from "./reports-view.ts";

/** Returns what an operator sees on the tab. @throws {UnavailableError} */
export async function loadReports(
  { request, context }: LoaderFunctionArgs,
  user: AuthUser,
): Promise<ReportsView> {
  const { searchParams } = new URL(request.url);
  const moderation = getModeration(context);
  const { now = Date.now() } = getPageValues(context);
  const [reported, muted, log] = await Promise.all([
    getReportQueue(context).listReported(user, readCursor(searchParams.get(QUEUE_PARAM))),
    moderation.listMuted(user, now, readCursor(searchParams.get(MUTED_PARAM))),
    moderation.listLog(user, readCursor(searchParams.get(LOG_PARAM))),
  ]);
  const locale = getLocale(request, context);
  return { ...reported, muted, log, confirmation: findConfirmation(searchParams), locale, now };
}

/** Returns how many messages have open reports; `null` for other users, and while it cannot be read. */
export async function countReports(
  { context }: LoaderFunctionArgs,
  user: AuthUser,
): Promise<number | null> {
  if (!user.isOperator) return null;
  const count = await catchUnavailable(getReportQueue(context).countOpen(user));
  return count instanceof UnavailableError ? null : count;
}

function findConfirmation(searchParams: URLSearchParams): ReportsView["confirmation"] {
  for (const step of [DELETE_PARAM, MUTE_PARAM, UNPUBLISH_PARAM] as const) {
    const key = searchParams.get(step);
    if (key !== null) return { step, key };
  }
  return null;
}
