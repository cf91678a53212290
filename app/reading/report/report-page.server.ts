import {
  data,
  redirect,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
} from "@remix-run/cloudflare";

import { toStoryReportsId } from "#app/chat/report.ts";
import { storeReport } from "#app/chat/reports.server.ts";
import { runRoomAction } from "#app/chat/run-room-action.server.ts";
import { getText } from "#app/http/form.ts";
import { readForm } from "#app/http/form.server.ts";
import { catchUnavailable, UnavailableError } from "#app/http/unavailable-error.server.ts";
import { getUser } from "#app/session/user.server.ts";
import { toStoryPath } from "#app/stories/book.ts";
import { findStory, isPublishedId } from "#app/stories/stories.server.ts";
import type { ReportPageData, ReportPageResult } from "./report-screen.tsx";

/** The parameter of the page after a report was sent. */
const SENT_PARAM = "sent";

/** Loads the page on which a published story is reported. */
export async function loadReportPage({ request, context, params }: LoaderFunctionArgs) {
  const { id = "" } = params;
  const [{ user, headers }, found] = await Promise.all([
    getUser({ request, context }),
    isPublishedId(id) ? catchUnavailable(findStory({ context }, id)) : null,
  ]);
  const isUnavailable = found instanceof UnavailableError;
  const story = isUnavailable ? null : found;
  const page: ReportPageData = {
    story: story && { title: story.title, author: story.author },
    isUnavailable,
    uid: user?.uid,
    isOwn: user !== null && story?.uid === user.uid,
    isSent: new URL(request.url).searchParams.has(SENT_PARAM),
    ...toPaths(id),
  };
  const status = isUnavailable ? 503 : 404;
  return data(page, { status: story ? 200 : status, headers });
}

/** Sends a report. After an error the page is shown with what was typed. */
export async function submitReportPage(args: ActionFunctionArgs) {
  const { id = "" } = args.params;
  const form = await readForm(args.request, ["uid", "kind", "details"]);
  const fields = { ...Object.fromEntries(form), messageId: toStoryReportsId(id) };
  const run = await runRoomAction(args, form, (user) => storeReport(args.context, user, fields));
  const { error, status, headers } = run;
  if (!error) {
    return redirect(`${toPaths(id).path}?${SENT_PARAM}=1`, { headers, status: 303 });
  }
  const { reason, message, hint } = error;
  const result: ReportPageResult = {
    // The error of a field says all that the user has to do.
    error: reason === "invalid" && hint ? { message: hint } : { message, hint },
    values: {
      uid: getText(form, "uid"),
      kind: getText(form, "kind"),
      details: getText(form, "details"),
    },
  };
  return data(result, { status, headers });
}

function toPaths(id: string) {
  const storyPath = toStoryPath(id);
  return { storyPath, path: `${storyPath}/report` };
}
