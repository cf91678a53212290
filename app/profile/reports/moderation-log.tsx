import type { ReactNode } from "react";

import type { LogEntry, LogPage } from "#app/chat/moderation/reports.ts";
import { UNTIL_LIFTED } from "#app/chat/moderation/mute.ts";
import { formatDateTime, formatShortDateTime } from "#app/site/locale/format-time.ts";
import type { Locale } from "#app/site/locale/locale.ts";
import { Bdi } from "#app/ui/bdi.tsx";
import { CardSection } from "#app/ui/card-section.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { PageLinks } from "./page-links.tsx";
import { PersonId } from "./person-id.tsx";
import { LOG_PARAM } from "./reports-view.ts";
import styles from "./side.module.css";

export interface ModerationLogProps {
  log: LogPage;
  locale: Locale;
  now: number;
}

const HEADING_ID = "recent-actions";

const ICONS: Record<LogEntry["action"], string> = {
  delete: "M4 5.5h12M8 5.5V4h4v1.5M5.5 5.5l.8 11h7.4l.8-11M8.5 8.5v5M11.5 8.5v5",
  mute: "M3 8v4h3l4 3.5v-11L6 8H3ZM13 8l4 4M17 8l-4 4",
  lift: "M8 5 4 9l4 4M4 9h7.5a4.5 4.5 0 0 1 0 9H10",
  dismiss: "m4.5 10.5 3.5 3.5 7.5-8",
  unpublish: "M3 10h14M10 3v4M10 13v4",
  picture: "M3 4h14v12H3zM4 15l4-5 3 3 2-2 3 4M3 3l14 14",
};

/** What operators have done, newest first. */
export function ModerationLog({ log: { entries, before }, locale, now }: ModerationLogProps) {
  return (
    <CardSection id={HEADING_ID} heading="Recent actions">
      {entries.length === 0 ? <p>Nothing yet.</p> : null}
      <ol className={styles.list}>
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
      <PageLinks param={LOG_PARAM} next={before} label="Show earlier" headingId={HEADING_ID} />
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
