import { Link as RouterLink, useFetcher } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";

import { StillTrying } from "#app/accounts/still-trying.tsx";
import { useRoomDock } from "#app/chat/dock/use-room-dock.tsx";
import { postAction } from "#app/chat/message-actions.ts";
import { Picture } from "#app/chat/panel/picture.tsx";
import type { ActionResult } from "#app/session/action-result.ts";
import { findFormError, type Offline } from "#app/site/offline.ts";
import { Cover } from "#app/stories/cover/cover.tsx";
import { Bdi } from "#app/ui/bdi.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { useHydrated } from "#app/ui/hydration.ts";
import { useFocusAfterRemoval } from "#app/ui/use-focus-after-removal.ts";
import { VisuallyHidden } from "#app/ui/visually-hidden.tsx";
import {
  ANSWER_FILTERS,
  toAnswersPath,
  type AnswerFilter,
  type AnswerRow,
  type AnswersView,
} from "./answers-view.ts";
import styles from "./answers.module.css";

const HEADING_ID = "answers-heading";

export interface AnswersProps {
  /** `null` when they cannot be read. */
  answers: AnswersView | null;
  /** The user. */
  uid: string;
}

/** What others have answered to the user's messages and stories, and what followed writers have published. */
export function Answers({ answers, uid }: AnswersProps) {
  const newCount = answers?.newCount;
  const { setAnswerCount } = useRoomDock();

  useEffect(() => {
    // The page's number is newer than the header's, which is fetched now and then.
    if (newCount !== undefined) setAnswerCount(newCount);
  }, [newCount, setAnswerCount]);

  return (
    <section className={styles.section} aria-labelledby={HEADING_ID}>
      <div className={styles.head}>
        <div>
          <h2 className={styles.heading} id={HEADING_ID}>
            Answers
          </h2>
          <p>Replies to you, quotes of your stories, and what writers you follow publish.</p>
        </div>
        {answers && newCount ? <MarkAllForm uid={uid} until={answers.until} /> : null}
      </div>
      <TellMe />
      {answers ? (
        <AnswerList {...answers} uid={uid} />
      ) : (
        <p>We can't load your answers right now. Try again in a moment.</p>
      )}
    </section>
  );
}

export interface MarkAllFormProps {
  uid: string;
  /** The time of the newest answer that is shown. */
  until: number;
  /** Called when they are marked, on a page that is not loaded again. */
  onDone?: () => void;
}

export function MarkAllForm({ uid, until, onDone }: MarkAllFormProps) {
  const { Form, state, data } = useFetcher<ActionResult | Offline>();
  const ref = useFocusAfterRemoval<HTMLFormElement>();
  const isPending = state !== "idle";
  const error = isPending ? undefined : findFormError(data);

  useEffect(() => {
    if (!isPending && data && findFormError(data) === undefined) onDone?.();
    // oxlint-disable-next-line react/exhaustive-deps -- once for each response
  }, [isPending, data]);

  return (
    <Form ref={ref} className={styles.form} method="post" action="/answers">
      <input type="hidden" name="uid" value={uid} />
      <input type="hidden" name="until" value={until} />
      <Button type="submit" variant="quiet" isPending={isPending}>
        Mark all as read
      </Button>
      <StillTrying isPending={isPending} />
      {error === undefined ? null : <p role="alert">{error}</p>}
    </Form>
  );
}

function AnswerList({
  rows,
  filter,
  counts,
  before,
  isEarlier,
  uid,
}: AnswersView & Pick<AnswersProps, "uid">) {
  if (counts.all === 0) {
    return (
      <div className={styles.empty}>
        <h3>{NO_ANSWERS}</h3>
        <p>
          When someone replies to you, quotes your story, or a writer you follow adds a chapter, it
          appears here.
        </p>
        <ButtonLink variant="quiet" to="/home#room">
          Open the room
        </ButtonLink>
      </div>
    );
  }
  const days = [...new Set(rows.map(({ day }) => day))];
  return (
    <>
      <nav aria-label="Kinds of answers">
        <ul className={styles.filters}>
          {ANSWER_FILTERS.map(({ id, label }) => (
            <li key={id}>
              <RouterLink
                className={styles.filter}
                to={toAnswersPath(id)}
                aria-current={id === filter ? "true" : undefined}
                preventScrollReset
              >
                {label} <span className={styles.count}>{counts[id]}</span>
              </RouterLink>
            </li>
          ))}
        </ul>
      </nav>
      {rows.length > 0 ? (
        <div className={styles.days}>
          {days.map((day, index) => (
            <section key={day} aria-labelledby={`answers-day-${index}`}>
              <h3 className={styles.day} id={`answers-day-${index}`}>
                {day}
              </h3>
              <ul className={styles.list}>
                {rows
                  .filter((row) => row.day === day)
                  .map((row) => (
                    <Row key={row.key} row={row} uid={uid} />
                  ))}
              </ul>
            </section>
          ))}
        </div>
      ) : (
        <p>{describeNone(filter, isEarlier)}</p>
      )}
      {before !== null || isEarlier ? (
        <div className={styles.pages}>
          {before === null ? null : (
            <ButtonLink
              // Each page has a new link, so that the heading gets the focus of the pressed one.
              key={before}
              variant="quiet"
              to={`${toAnswersPath(filter, before)}#${HEADING_ID}`}
            >
              Show earlier
            </ButtonLink>
          )}
          {isEarlier ? (
            <ButtonLink variant="quiet" to={`${toAnswersPath(filter)}#${HEADING_ID}`}>
              Show newest
            </ButtonLink>
          ) : null}
        </div>
      ) : null}
    </>
  );
}

/** It opens a link in a new tab. */
const MIDDLE_BUTTON = 1;

export const NO_ANSWERS = "No answers yet.";

const NONE: Record<AnswerFilter, string> = {
  all: NO_ANSWERS,
  replies: "Nobody has replied to you yet.",
  quotes: "Nobody has quoted your stories yet.",
  chapters: "Writers you follow have published nothing in the last 90 days.",
};

function describeNone(filter: AnswerFilter, isEarlier: boolean): string {
  return isEarlier ? "No earlier answers." : NONE[filter];
}

export interface RowProps extends Pick<AnswersProps, "uid"> {
  row: AnswerRow;
  /** Called when the user opens it on this page. In a list without headings for days, the row says the day. */
  onOpen?: () => void;
}

export function Row({ row, uid, onOpen }: RowProps) {
  const { key, isNew, path, name, action, picture, title, quote, words, isLater } = row;
  const { answerCount, setAnswerCount } = useRoomDock();
  const isMarked = useRef(false);

  function markRead() {
    if (!isNew || isMarked.current) return;
    isMarked.current = true;
    setAnswerCount(Math.max(0, answerCount - 1));
    // If this fails, the answer is still marked as new when the page is next loaded.
    void postAction("/rooms/general/answers", { uid, answer: key });
  }

  return (
    <li>
      <RouterLink
        className={styles.row}
        to={path}
        data-new={isNew || undefined}
        onClick={(event) => {
          markRead();
          if (!(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)) onOpen?.();
        }}
        onAuxClick={({ button }) => {
          if (button === MIDDLE_BUTTON) markRead();
        }}
      >
        {isNew ? <VisuallyHidden>Unread.</VisuallyHidden> : null}
        <span className={styles.picture}>
          <CoverOrPicture picture={picture} title={title} />
        </span>
        <span className={styles.body}>
          <span className={styles.sentence}>
            <Bdi className={styles.name}>{name}</Bdi> {action}
          </span>
          {quote === null ? null : (
            <q className={styles.quote} dir="auto">
              {quote}
            </q>
          )}
          {words === null ? null : (
            <span className={styles.words} dir="auto">
              {words}
            </span>
          )}
          {isLater ? <span className={styles.later}>Wrote about a later part.</span> : null}
          {title === null ? null : (
            <span className={styles.title} dir="auto">
              {title}
            </span>
          )}
        </span>
        <time className={styles.time} dateTime={row.dateTime}>
          {onOpen && !row.isToday ? row.day : row.time}
        </time>
      </RouterLink>
    </li>
  );
}

function CoverOrPicture({ picture, title }: Pick<AnswerRow, "picture" | "title">) {
  if ("story" in picture) {
    return <Cover id={picture.story} title={title ?? ""} src={picture.cover} size="small" />;
  }
  return <Picture photoURL={picture.photoURL} />;
}

const GRANTED =
  "Your browser tells you about answers while Inkglade is open in another tab. You can turn this off in its settings.";
const DENIED =
  "Your browser won't show notifications from Inkglade. You can change this in its settings.";

/**
 * The button that asks for permission to show notifications. It needs scripts, and is not shown to a user who has
 * declined.
 */
function TellMe() {
  const isHydrated = useHydrated();
  const [answer, setAnswer] = useState<NotificationPermission | null>(null);
  const button = useFocusAfterRemoval<HTMLButtonElement>();
  const permission = answer ?? (isHydrated ? findPermission() : null);

  async function ask() {
    try {
      // oxlint-disable-next-line baseline-js/use-baseline -- `findPermission` has checked that the browser has it
      setAnswer(await Notification.requestPermission());
    } catch {
      // Some browsers allow notifications only to installed apps.
      setAnswer("denied");
    }
  }

  return (
    <div className={styles.tell}>
      {permission === "default" ? (
        <>
          <span>We can tell you about answers while Inkglade is open in another tab.</span>
          <Button ref={button} variant="quiet" onPress={() => void ask()}>
            Tell me
          </Button>
        </>
      ) : null}
      {answer === null && permission === "granted" ? GRANTED : null}
      <output>{answer === "granted" ? GRANTED : answer === "denied" ? DENIED : null}</output>
    </div>
  );
}

/** Returns `null` if the browser has no notifications, or the user has said no. */
function findPermission(): NotificationPermission | null {
  if (!("Notification" in window) || Notification.permission === "denied") return null;
  return Notification.permission;
}
