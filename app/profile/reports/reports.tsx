import { useNavigation } from "@remix-run/react";

import { FLASH_LIFE_MS, SectionFlash } from "#app/profile/form-section.tsx";
import type { ProfileActionResult } from "#app/profile/profile-view.ts";
import { FormErrorBanner } from "#app/site/form-error-banner.tsx";
import { useLocale, useNow } from "#app/site/locale/use-locale.ts";
import { ModerationLog, MutedPeople, RemovePicture } from "./side.tsx";
import { PageLinks } from "./page-links.tsx";
import { ReportCard } from "./report-card.tsx";
import styles from "./reports.module.css";
import { QuickActionsContext, useQuickActions } from "./quick-actions.ts";
import { QUEUE_ID, QUEUE_PARAM, type ReportsView } from "./reports-view.ts";

export interface ReportsProps {
  /** `null` when they cannot be read. */
  reports: ReportsView | null;
  canUpload: boolean;
  result: ProfileActionResult | undefined;
}

/** What operators see: the messages that were reported, who is muted, and what operators have done. */
export function Reports({ reports, canUpload, result }: ReportsProps) {
  const isPending = useNavigation().formData?.get("intent") === "moderate";
  if (!reports) return <p>We can't load the reports right now. Try again in a moment.</p>;
  const banner = result?.form === "moderate" ? result.banner : undefined;
  return (
    <LoadedReports
      reports={reports}
      canUpload={canUpload}
      result={result}
      banner={banner}
      isPending={isPending}
    />
  );
}

interface LoadedReportsProps {
  reports: ReportsView;
  canUpload: boolean;
  result: ProfileActionResult | undefined;
  banner: ProfileActionResult["banner"];
  isPending: boolean;
}

function LoadedReports({ reports, canUpload, result, banner, isPending }: LoadedReportsProps) {
  const quick = useQuickActions(reports);
  const { total, messages, next, muted, log, confirmation } = reports;
  const locale = useLocale(reports.locale);
  const now = useNow(reports.now);
  const { queue } = quick.state;
  const handled = messages.filter(({ key }) => queue.has(key)).length;
  const shown = messages.filter(({ key }) => queue.get(key)?.status !== "sent");
  return (
    <div className={styles.columns}>
      <section className={styles.queue} aria-labelledby={QUEUE_ID}>
        <div>
          <h2 className={styles.heading} id={QUEUE_ID} tabIndex={-1}>
            {describeTotal(total - handled)}
          </h2>
          {total > 0 ? (
            <p className={styles.note}>Newest first. Only operators see this page.</p>
          ) : null}
        </div>
        <FormErrorBanner error={quick.state.error ?? banner} />
        <SectionFlash section="moderate" isPending={isPending} life={FLASH_LIFE_MS} />
        {total > 0 && messages.length === 0 ? <p>No more reports.</p> : null}
        <ul className={styles.list}>
          {shown.map((reported) => {
            const { key } = reported;
            const step = confirmation?.key === key ? confirmation.step : null;
            return (
              <li key={key}>
                <QuickActionsContext.Provider value={quick}>
                  <ReportCard
                    reported={reported}
                    step={step}
                    result={step ? result : undefined}
                    locale={locale}
                    now={now}
                  />
                </QuickActionsContext.Provider>
              </li>
            );
          })}
        </ul>
        <PageLinks param={QUEUE_PARAM} next={next} label="Show more reports" headingId={QUEUE_ID} />
      </section>
      <div className={styles.side}>
        {canUpload ? <RemovePicture result={result} /> : null}
        <MutedPeople muted={muted} locale={locale} now={now} />
        <ModerationLog log={log} locale={locale} now={now} />
      </div>
    </div>
  );
}

function describeTotal(total: number): string {
  if (total === 0) return "No open reports.";
  return total === 1 ? "1 open report" : `${total} open reports`;
}
