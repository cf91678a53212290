import { Form, useNavigation, useSearchParams } from "@remix-run/react";
import { useId, type ReactNode } from "react";

import type { Report, ReportedMessage } from "#app/chat/moderation/reports.ts";
import type { Message } from "#app/chat/message.ts";
import { UidField } from "#app/profile/form-section.tsx";
import type { ProfileActionResult } from "#app/profile/profile-view.ts";
import { formatDateTime } from "#app/site/locale/format-time.ts";
import type { Locale } from "#app/site/locale/locale.ts";
import { toStoryPath } from "#app/stories/book.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { Bdi } from "#app/ui/bdi.tsx";
import { Button } from "#app/ui/button.tsx";
import { Link } from "#app/ui/link.tsx";
import { useFocusAfterRemoval } from "#app/ui/use-focus-after-removal.ts";
import { VisuallyHidden } from "#app/ui/visually-hidden.tsx";
import { MuteForm, UnpublishForm } from "./confirmation.tsx";
import styles from "./report-card.module.css";
import {
  getReportsParams,
  MUTE_PARAM,
  toReportsPath,
  UNPUBLISH_PARAM,
  type ReportsView,
} from "./reports-view.ts";

export interface ReportCardProps {
  reported: ReportedMessage;
  /** The step that is to be confirmed; `null` if none. */
  step: NonNullable<ReportsView["confirmation"]>["step"] | null;
  /** The errors of that step. */
  result: ProfileActionResult | undefined;
  locale: Locale;
  now: number;
}

/** A reported message between its neighbours, with who has reported it and why, and what an operator can do. */
export function ReportCard({ reported, step, result, locale, now }: ReportCardProps) {
  const { message, path, before, after, isOwn, story, reports } = reported;
  const ref = useFocusAfterRemoval<HTMLElement>();
  const headingId = useId();
  const [newest] = reports;
  const times = { locale, now };
  return (
    <article ref={ref} className={styles.card} aria-labelledby={headingId}>
      <header className={styles.head}>
        <h3 className={styles.title} id={headingId}>
          <span className={styles.kind}>{newest?.kind}</span>{" "}
          <span className={styles.count}>
            {reports.length === 1
              ? "1 person reported this"
              : `${reports.length} people reported this`}
          </span>
        </h3>
        {newest ? <Time at={newest.at} {...times} /> : null}
      </header>
      <ol className={styles.context}>
        {before ? <ContextMessage message={before} {...times} /> : null}
        <ContextMessage message={message} {...times} isReported />
        {after ? <ContextMessage message={after} {...times} /> : null}
      </ol>
      <div className={styles.below}>
        {path === null ? (
          <p>The message was deleted. This is a copy from when it was reported.</p>
        ) : (
          <Link variant="standalone" to={path}>
            Open in the room
          </Link>
        )}
        {story ? (
          <p>
            About{" "}
            <Link to={toStoryPath(story.id)}>
              <Bdi>{story.title}</Bdi>
            </Link>
          </p>
        ) : null}
        <ul className={styles.reporters}>
          {reports.map((report) => (
            <Reporter key={`${report.reporterName} ${report.at}`} report={report} />
          ))}
        </ul>
        {isOwn ? (
          <p>This report is about you, so another operator has to handle it.</p>
        ) : (
          <Actions reported={reported} step={step} result={result} locale={locale} now={now} />
        )}
      </div>
    </article>
  );
}

interface TimeProps {
  at: number;
  locale: Locale;
  now: number;
}

function Time({ at, locale, now }: TimeProps) {
  return (
    // Server and browser may format a time differently.
    <time className={styles.time} dateTime={new Date(at).toISOString()} suppressHydrationWarning>
      {formatDateTime(at, locale, now)}
    </time>
  );
}

interface ContextMessageProps {
  message: Message;
  /** @default false */
  isReported?: boolean;
  locale: Locale;
  now: number;
}

function ContextMessage({ message, isReported = false, locale, now }: ContextMessageProps) {
  const { displayName, photoURL, createdAt, text } = message;
  return (
    <li className={styles.message} data-reported={isReported || undefined}>
      <div className={styles.photo}>
        <Avatar src={photoURL} />
      </div>
      <div className={styles.words}>
        <p className={styles.sender}>
          {isReported ? <VisuallyHidden>Reported message: </VisuallyHidden> : null}
          <Bdi className={styles.name}>{displayName}</Bdi>{" "}
          {createdAt === null ? null : <Time at={createdAt} locale={locale} now={now} />}
        </p>
        <p className={styles.text} dir="auto">
          {text}
        </p>
      </div>
    </li>
  );
}

function Reporter({ report: { reporterName, kind, details, text } }: { report: Report }) {
  return (
    <li className={styles.reporter}>
      <Bdi className={styles.name}>{reporterName}</Bdi>, {kind}
      {details ? (
        <>
          : “<Bdi>{details}</Bdi>”
        </>
      ) : null}
      {text === null ? null : (
        <blockquote className={styles.text} dir="auto">
          <VisuallyHidden>The message at that time: </VisuallyHidden>
          {text}
        </blockquote>
      )}
    </li>
  );
}

function Actions({ reported, step, result, locale, now }: ReportCardProps) {
  const { message, path, story } = reported;
  const [params] = useSearchParams();
  const navigation = useNavigation();
  const form = navigation.formData;
  const isPending = form?.get("intent") === "moderate" && form.get("message") === message.id;
  if (step === "mute") {
    return <MuteForm reported={reported} result={result} locale={locale} now={now} />;
  }
  if (step === "unpublish" && story) {
    return <UnpublishForm messageId={message.id} story={story} result={result} />;
  }
  return (
    <div className={styles.actions}>
      {path === null ? null : (
        <ActionForm message={message}>
          <Button
            type="submit"
            name="action"
            value="delete"
            variant="danger"
            isPending={isPending && form.get("action") === "delete"}
          >
            Delete message
          </Button>
        </ActionForm>
      )}
      <Form className={styles.steps} action="/profile" preventScrollReset>
        {[...getReportsParams(params)].map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <Button type="submit" name={MUTE_PARAM} value={message.id} variant="quiet">
          Mute
        </Button>
        {story ? (
          <Button type="submit" name={UNPUBLISH_PARAM} value={message.id} variant="quiet">
            Unpublish story
          </Button>
        ) : null}
      </Form>
      <ActionForm message={message}>
        <Button
          type="submit"
          name="action"
          value="dismiss"
          variant="quiet"
          isPending={isPending && form.get("action") === "dismiss"}
        >
          Dismiss
        </Button>
      </ActionForm>
    </div>
  );
}

/** A form about a message that needs no confirmation. */
function ActionForm({ message, children }: { message: Message; children: ReactNode }) {
  const [params] = useSearchParams();
  return (
    <Form method="post" action={toReportsPath(params)} preventScrollReset>
      <input type="hidden" name="intent" value="moderate" />
      <UidField />
      <input type="hidden" name="message" value={message.id} />
      {children}
    </Form>
  );
}
