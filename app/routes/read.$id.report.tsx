import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";

import type { loadReportPage, submitReportPage } from "#app/reading/report/report-page.server.ts";
import { ReportScreen } from "#app/reading/report/report-screen.tsx";
import { describePage } from "#app/site/page-meta.ts";

export {
  loadReportPage as loader,
  submitReportPage as action,
} from "#app/reading/report/report-page.server.ts";
export { shouldRevalidate } from "#app/site/revalidation.ts";

export const meta: MetaFunction = (args) =>
  describePage(args, { title: "Report a story", canonical: null });

export default function ReportStoryRoute() {
  return (
    <ReportScreen
      {...useLoaderData<typeof loadReportPage>()}
      result={useActionData<typeof submitReportPage>()}
    />
  );
}
