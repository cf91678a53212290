import { useNavigation, useSearchParams } from "@remix-run/react";
import { useRef, type ReactNode } from "react";

import type { LogEntry, LogPage } from "#app/chat/moderation/log.ts";
import { MAX_REASON_LENGTH, UNTIL_LIFTED } from "#app/chat/moderation/mute.ts";
import type { MutedPage, MutedPerson } from "#app/chat/moderation/reports.ts";
import {
  FLASH_LIFE_MS,
  ProfileForm,
  SectionFlash,
  useProfileForm,
} from "#app/profile/form-section.tsx";
import { FormErrorBanner } from "#app/site/form-error-banner.tsx";
import {
  formatDateTime,
  formatShortDateTime,
  formatUntil,
  type Locale,
} from "#app/site/locale/locale.ts";
import { useLocale, useNow } from "#app/site/locale/use-locale.ts";
import { Bdi } from "#app/ui/bdi.tsx";
import { Button } from "#app/ui/button.tsx";
import { CardSection } from "#app/ui/card-section.tsx";
import { useFocusFirstError } from "#app/ui/field-errors.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Link } from "#app/ui/link.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import { useFocusAfterRemoval } from "#app/ui/use-focus-after-removal.ts";
import { VisuallyHidden } from "#app/ui/visually-hidden.tsx";
import { PersonId, ReportCard } from "./report-card.tsx";
import { QuickActionsContext, useQuickActions } from "./quick-actions.ts";
import {
  LOG_PARAM,
  MUTED_PARAM,
  QUEUE_ID,
  QUEUE_PARAM,
  toReportsPath,
  type ReportsView,
} from "./reports-view.ts";
import styles from "./reports.module.css";

export interface ReportsProps {
  /** `null` when they cannot be read. */
  reports: ReportsView | null;
  canUpload: boolean;
}

/** What operators see: the messages that were reported, who is muted, and what operators have done. */
export function Reports({ reports, canUpload }: ReportsProps) {
  if (!reports) return <p>We can't load the reports right now. Try again in a moment.</p>;
  return <LoadedReports reports={reports} canUpload={canUpload} />;
}

interface LoadedReportsProps {
  reports: ReportsView;
  canUpload: boolean;
}

function LoadedReports({ reports, canUpload }: LoadedReportsProps) {
  const { isPending, result } = useProfileForm("moderate");
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
        <FormErrorBanner error={quick.state.error ?? result?.banner} />
        <SectionFlash section="moderate" isPending={isPending} life={FLASH_LIFE_MS} />
        {total > 0 && messages.length === 0 ? <p>No more reports.</p> : null}
        <ul className={styles.list}>
          {shown.map((reported) => {
            const { key } = reported;
            const step = confirmation?.key === key ? confirmation.step : null;
            return (
              <li key={key}>
                <QuickActionsContext.Provider value={quick}>
                  <ReportCard reported={reported} step={step} locale={locale} now={now} />
                </QuickActionsContext.Provider>
              </li>
            );
          })}
        </ul>
        <PageLinks param={QUEUE_PARAM} next={next} label="Show more reports" headingId={QUEUE_ID} />
      </section>
      <div className={styles.side}>
        {canUpload ? <RemovePicture /> : null}
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

interface MutedPeopleProps {
  muted: MutedPage;
  locale: Locale;
  now: number;
}

const MUTED_HEADING_ID = "muted-heading";

/** The people who can't post now, each with a button that lifts the mute, and their request to post again, if any. */
function MutedPeople({ muted: { people, next }, locale, now }: MutedPeopleProps) {
  const isLaterPage = useSearchParams()[0].has(MUTED_PARAM);
  return (
    <CardSection id={MUTED_HEADING_ID} heading="Muted now">
      {people.length === 0 ? (
        <p>{isLaterPage ? "Nobody else is muted." : "Nobody is muted."}</p>
      ) : null}
      <ul className={styles.rows}>
        {people.map((person) => (
          <Person key={person.uid} person={person} locale={locale} now={now} />
        ))}
      </ul>
      <PageLinks param={MUTED_PARAM} next={next} label="Show more" headingId={MUTED_HEADING_ID} />
    </CardSection>
  );
}

interface PersonProps {
  person: MutedPerson;
  locale: Locale;
  now: number;
}

function Person({ person, locale, now }: PersonProps) {
  const { uid, name, until, at, reason, appeal } = person;
  const [params] = useSearchParams();
  const isPending = useNavigation().formData?.get("person") === uid;
  const ref = useFocusAfterRemoval<HTMLFormElement>();
  return (
    <li className={styles.item}>
      <div className={styles.person}>
        <div className={styles.words}>
          <p>
            <Bdi className={styles.name}>{name}</Bdi>{" "}
            <span className={styles.meta}>
              <PersonId uid={uid} />
            </span>
          </p>
          <p className={styles.meta} suppressHydrationWarning>
            {until >= UNTIL_LIFTED
              ? `Until lifted, since ${formatDateTime(at, locale, now)}`
              : `Until ${formatUntil(until, locale, now)}`}
          </p>
          <p className={styles.meta} dir="auto">
            {reason}
          </p>
        </div>
        <ProfileForm ref={ref} form="moderate" action={toReportsPath(params)}>
          <input type="hidden" name="person" value={uid} />
          <Button type="submit" name="action" value="lift" variant="quiet" isPending={isPending}>
            Lift<VisuallyHidden> the mute of {name}</VisuallyHidden>
          </Button>
        </ProfileForm>
      </div>
      {appeal === null ? null : (
        <p className={styles.appeal}>
          Asks to post again: “<Bdi>{appeal}</Bdi>”
        </p>
      )}
    </li>
  );
}

/** The form with which operators remove an uploaded picture. */
function RemovePicture() {
  const [params] = useSearchParams();
  const { getErrorProps, result } = useProfileForm("moderate");
  const values = result?.values;
  const isOwn = Boolean(values?.picture || result?.fieldErrors?.picture);
  const isPending = useNavigation().formData?.get("action") === "picture";
  const form = useRef<HTMLFormElement>(null);
  useFocusFirstError(form, result?.fieldErrors);
  const getProps = (name: "picture" | "reason") =>
    isOwn ? { defaultValue: values?.[name], ...getErrorProps(name) } : {};
  return (
    <CardSection id="remove-picture" heading="Remove a picture">
      <p>Nobody can see it here any more, and its owner can't upload it again.</p>
      <ProfileForm ref={form} form="moderate" action={toReportsPath(params)} noValidate>
        <TextField
          label="Address of the picture"
          name="picture"
          autoComplete="off"
          aria-required
          {...getProps("picture")}
        />
        <TextField
          label="Why it is removed"
          name="reason"
          maxLength={MAX_REASON_LENGTH}
          autoComplete="off"
          aria-required
          {...getProps("reason")}
        />
        <Button type="submit" name="action" value="picture" variant="danger" isPending={isPending}>
          Remove picture
        </Button>
      </ProfileForm>
    </CardSection>
  );
}

interface ModerationLogProps {
  log: LogPage;
  locale: Locale;
  now: number;
}

const LOG_HEADING_ID = "recent-actions";

const ICONS: Record<LogEntry["action"], string> = {
  delete: "M4 5.5h12M8 5.5V4h4v1.5M5.5 5.5l.8 11h7.4l.8-11M8.5 8.5v5M11.5 8.5v5",
  mute: "M3 8v4h3l4 3.5v-11L6 8H3ZM13 8l4 4M17 8l-4 4",
  lift: "M8 5 4 9l4 4M4 9h7.5a4.5 4.5 0 0 1 0 9H10",
  dismiss: "m4.5 10.5 3.5 3.5 7.5-8",
  unpublish: "M3 10h14M10 3v4M10 13v4",
  picture: "M3 4h14v12H3zM4 15l4-5 3 3 2-2 3 4M3 3l14 14",
};

/** What operators have done, newest first. */
function ModerationLog({ log: { entries, before }, locale, now }: ModerationLogProps) {
  return (
    <CardSection id={LOG_HEADING_ID} heading="Recent actions">
      {entries.length === 0 ? <p>Nothing yet.</p> : null}
      <ol className={styles.rows}>
        {entries.map((entry) => (
          <li key={entry.id} className={`${styles.item} ${styles.entry}`}>
            <Icon path={ICONS[entry.action]} />
            <div className={styles.words}>
              <p suppressHydrationWarning>{describe(entry, locale)}</p>
              <p className={styles.meta} suppressHydrationWarning>
                <PersonId uid={entry.person} /> · <Bdi>{entry.reason}</Bdi> ·{" "}
                {formatDateTime(entry.at, locale, now)}
              </p>
            </div>
          </li>
        ))}
      </ol>
      <PageLinks param={LOG_PARAM} next={before} label="Show earlier" headingId={LOG_HEADING_ID} />
    </CardSection>
  );
}

function describe(
  { action, isStory, byName, name, until, at }: LogEntry,
  locale: Locale,
): ReactNode {
  const by = <Bdi className={styles.name}>{byName}</Bdi>;
  const person = <Bdi className={styles.name}>{name}</Bdi>;
  switch (action) {
    case "delete":
      return (
        <>
          {by} deleted a message of {person}
        </>
      );
    case "dismiss":
      return (
        <>
          {by} dismissed the reports of {person}'s {isStory ? "story" : "message"}
        </>
      );
    case "lift":
      return (
        <>
          {by} lifted the mute of {person}
        </>
      );
    case "unpublish":
      return (
        <>
          {by} unpublished a story of {person}
        </>
      );
    case "picture":
      return (
        <>
          {by} removed a picture of {person}
        </>
      );
    case "mute":
      return (
        <>
          {by} muted {person}{" "}
          {until === null || until >= UNTIL_LIFTED
            ? "until lifted"
            : `until ${formatShortDateTime(until, locale, at)}`}
        </>
      );
  }
}

interface PageLinksProps {
  /** The parameter of the list's page. */
  param: string;
  /** The next page; `null` if there is none. */
  next: string | null;
  label: string;
  /** The id of the list's heading. */
  headingId: string;
}

/** The links to the next and the first page of a list. */
function PageLinks({ param, next, label, headingId }: PageLinksProps) {
  const [params] = useSearchParams();
  const toPage = (page: string | null) =>
    `${toReportsPath(params, { [param]: page })}#${headingId}`;
  const isLater = params.has(param);
  if (next === null && !isLater) return null;
  return (
    <p className={styles.links}>
      {next === null ? null : (
        // Each page has a new link, so that the heading gets the focus of the pressed one.
        <Link key={next} variant="standalone" to={toPage(next)}>
          {label}
        </Link>
      )}
      {isLater ? (
        <Link variant="standalone" to={toPage(null)}>
          First page
        </Link>
      ) : null}
    </p>
  );
}
