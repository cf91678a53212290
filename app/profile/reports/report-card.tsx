import { Form, useSearchParams } from "@remix-run/react";
import { useContext, useEffect, useId, useRef, type FormEvent, type ReactNode } from "react";

import type { Message } from "#app/chat/message.ts";
import type { Report, ReportedMessage } from "#app/chat/moderation/reports.ts";
import { Picture } from "#app/chat/panel/picture.tsx";
import { ProfileContext, ProfileForm } from "#app/profile/form-section.tsx";
import { formatDateTime, type Locale } from "#app/site/locale/locale.ts";
import { toStoryPath } from "#app/stories/book.ts";
import { Bdi } from "#app/ui/bdi.tsx";
import { Button } from "#app/ui/button.tsx";
import { useBrowserLayoutEffect } from "#app/ui/hydration.ts";
import { Link } from "#app/ui/link.tsx";
import { useFocusAfterRemoval } from "#app/ui/use-focus-after-removal.ts";
import { useSecondsLeft } from "#app/ui/use-seconds-left.ts";
import { VisuallyHidden } from "#app/ui/visually-hidden.tsx";
import { DeleteForm, MuteForm, UnpublishForm } from "./confirmation.tsx";
import { useQuickActionsValue, type QuickAction } from "./quick-actions.ts";
import styles from "./report-card.module.css";
import {
  DELETE_PARAM,
  getReportsParams,
  MUTE_PARAM,
  toReportsPath,
  UNPUBLISH_PARAM,
  type ModerationStep,
} from "./reports-view.ts";

export interface ReportCardProps {
  reported: ReportedMessage;
  /** The step that is to be confirmed; `null` if none. */
  step: ModerationStep | null;
  locale: Locale;
  now: number;
}

/** A reported message between its neighbours, with who has reported it and why, and what an operator can do. */
export function ReportCard({ reported, step, locale, now }: ReportCardProps) {
  const { key, isStory, message, path, before, after, isOwn, story, reports } = reported;
  const ref = useFocusAfterRemoval<HTMLElement>();
  const headingId = useId();
  const [newest] = reports;
  const times = { locale, now };
  const { state } = useQuickActionsValue();
  const handled = state.queue.get(key);
  const isReplaced = handled !== undefined || step !== null;
  const wasReplaced = useRef(false);
  const heading = useRef<HTMLHeadingElement>(null);

  // Before the page looks for the focus.
  useBrowserLayoutEffect(() => {
    // "Undo" or "Cancel" had the focus, and is gone.
    const isBack = wasReplaced.current && !isReplaced;
    if (isBack && document.activeElement === document.body) heading.current?.focus();
    wasReplaced.current = isReplaced;
  }, [isReplaced]);

  if (handled?.status === "waiting") {
    return (
      <article ref={ref} className={styles.card} aria-label="Done">
        <Handled
          reportsKey={key}
          message={message}
          action={state.actions.get(key) ?? "dismiss"}
          until={handled.until}
        />
      </article>
    );
  }
  return (
    <article ref={ref} className={styles.card} aria-labelledby={headingId}>
      <header className={styles.head}>
        <h3 ref={heading} className={styles.title} id={headingId} tabIndex={-1}>
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
        <ContextMessage
          message={message}
          {...times}
          reportedAs={isStory ? "Reported story" : "Reported message"}
        />
        {after ? <ContextMessage message={after} {...times} /> : null}
      </ol>
      <div className={styles.below}>
        {path === null ? (
          <p>
            {isStory ? "The story isn't published any more." : "The message was deleted."} This is a
            copy from when it was reported.
          </p>
        ) : (
          <Link variant="standalone" to={path}>
            {isStory ? "Open the story" : "Open in the room"}
          </Link>
        )}
        {story && !isStory ? (
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
          <Actions reported={reported} step={step} locale={locale} now={now} />
        )}
      </div>
    </article>
  );
}

const DONE: Record<QuickAction, string> = {
  delete: "Message deleted.",
  dismiss: "Reports dismissed.",
};

interface HandledProps {
  reportsKey: string;
  message: Message;
  action: QuickAction;
  /** When it is sent, in milliseconds since the Unix epoch. */
  until: number;
}

/** Replaces what is in the card while the action can be undone. */
function Handled({ reportsKey, message, action, until }: HandledProps) {
  const { actions } = useQuickActionsValue();
  const seconds = useSecondsLeft(until);
  const undo = useRef<HTMLButtonElement>(null);
  const doneId = useId();
  useEffect(() => undo.current?.focus(), []);
  return (
    <div className={styles.handled}>
      <p>
        <span id={doneId}>
          {DONE[action]}
          <VisuallyHidden>
            {" "}
            {message.displayName}: {message.text}
          </VisuallyHidden>
        </span>{" "}
        <span className={styles.count}>{seconds} s left</span>
      </p>
      <Button
        ref={undo}
        variant="quiet"
        // Screen readers say what was done together with the button, which gets the focus.
        aria-describedby={doneId}
        onPress={() => actions.undo(reportsKey)}
      >
        Undo
      </Button>
    </div>
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
  /** What screen readers say before what was reported. */
  reportedAs?: string;
  locale: Locale;
  now: number;
}

function ContextMessage({ message, reportedAs, locale, now }: ContextMessageProps) {
  const { uid, displayName, photoURL, createdAt, text } = message;
  return (
    <li className={styles.message} data-reported={reportedAs === undefined ? undefined : true}>
      <div className={styles.photo}>
        <Picture photoURL={photoURL} />
      </div>
      <div className={styles.words}>
        <p className={styles.sender}>
          {reportedAs === undefined ? null : <VisuallyHidden>{reportedAs}: </VisuallyHidden>}
          <Bdi className={styles.name}>{displayName}</Bdi>{" "}
          {createdAt === null ? null : <Time at={createdAt} locale={locale} now={now} />}
          {reportedAs === undefined ? null : (
            <span className={styles.time}>
              {" "}
              <PersonId uid={uid} />
            </span>
          )}
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
          <VisuallyHidden>At that time: </VisuallyHidden>
          {text}
        </blockquote>
      )}
    </li>
  );
}

function Actions({ reported, step, locale, now }: ReportCardProps) {
  const { key, isStory, path, story } = reported;
  const { actions } = useQuickActionsValue();
  const { uid } = useContext(ProfileContext);
  const [params] = useSearchParams();
  if (step === "delete" && path !== null && !isStory) return <DeleteForm reportsKey={key} />;
  if (step === "mute") {
    return <MuteForm reported={reported} locale={locale} now={now} />;
  }
  if (step === "unpublish" && story) {
    return <UnpublishForm reportsKey={key} story={story} />;
  }
  const doLater = (action: QuickAction) => (event: FormEvent) => {
    event.preventDefault();
    actions.add(key, action, uid);
  };
  return (
    <div className={styles.actions}>
      {path === null || isStory ? null : (
        <StepForm onSubmit={doLater("delete")}>
          <Button type="submit" name={DELETE_PARAM} value={key} variant="danger">
            Delete message
          </Button>
        </StepForm>
      )}
      <StepForm>
        <Button type="submit" name={MUTE_PARAM} value={key} variant="quiet">
          Mute
        </Button>
        {story ? (
          <Button type="submit" name={UNPUBLISH_PARAM} value={key} variant="quiet">
            Unpublish story
          </Button>
        ) : null}
      </StepForm>
      <ProfileForm form="moderate" action={toReportsPath(params)} onSubmit={doLater("dismiss")}>
        <input type="hidden" name="message" value={key} />
        <Button type="submit" name="action" value="dismiss" variant="quiet">
          Dismiss
        </Button>
      </ProfileForm>
    </div>
  );
}

interface StepFormProps {
  onSubmit?: (event: FormEvent) => void;
  children: ReactNode;
}

/** Leads to a step that is confirmed at an address of its own. */
function StepForm({ onSubmit, children }: StepFormProps) {
  const [params] = useSearchParams();
  return (
    <Form className={styles.steps} action="/profile" preventScrollReset onSubmit={onSubmit}>
      {[...getReportsParams(params)].map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </Form>
  );
}

/** How much of an id tells people of the same name apart. */
const SHOWN_LENGTH = 8;

/** The start of a user's id, and the whole id as a tooltip. */
export function PersonId({ uid }: { uid: string }) {
  return (
    <code title={uid}>
      <VisuallyHidden>User id </VisuallyHidden>
      {uid.slice(0, SHOWN_LENGTH)}
    </code>
  );
}
