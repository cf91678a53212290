import { Link } from "@remix-run/react";

import type { RoomData } from "#app/chat/message.ts";
import type { RoomSubject } from "#app/chat/quotes/topic.ts";
import { useQuotedStoriesValue } from "#app/chat/quotes/use-quoted-stories.ts";
import { isForEveryone, TALK_EVERYONE, TALK_STORY, toTalkPath } from "#app/chat/room-address.ts";
import { Icon } from "#app/ui/icon.tsx";
import styles from "./talk-views.module.css";

const BACK = "M16 10H4M9 5l-5 5 5 5";

/** In the head of the room, in place of the switch: which messages are shown, and the way back to all about the story. */
export function PassageHead({ count, path }: { count: number; path: string }) {
  const isEveryone = isForEveryone(path);
  return (
    <div className={styles.head}>
      <Link
        className={styles.back}
        to={toTalkPath(path, isEveryone ? TALK_EVERYONE : TALK_STORY)}
        aria-label={isEveryone ? "Back to all messages" : "Back to all messages about this story"}
        preventScrollReset
      >
        <Icon path={BACK} />
      </Link>
      <div>
        <h3 className={styles.title}>This passage</h3>
        <p className={styles.count}>
          {count} {count === 1 ? "message" : "messages"}
        </p>
      </div>
    </div>
  );
}

/** The passage that the messages below are about. Folded if it is in a later part than the user has read. */
export function Passage({ subject: { quote, passage } }: { subject: RoomSubject }) {
  const { isAboutLaterPart } = useQuotedStoriesValue();
  if (!passage) return null;
  const { words, number, chapter } = passage;
  const shown = (
    <>
      <blockquote className={styles.words} dir="auto">
        {words}
      </blockquote>
      {chapter ? (
        <p className={styles.chapter} dir="auto">
          {chapter}
        </p>
      ) : null}
    </>
  );
  const isLater = isAboutLaterPart({ text: quote, topic: { number, replyTo: null } });
  return (
    <div className={styles.passage}>
      {isLater ? (
        <details>
          <summary className={styles.folded}>This passage is in a later part. Show</summary>
          {shown}
        </details>
      ) : (
        shown
      )}
    </div>
  );
}

interface TalkSwitchProps extends Pick<RoomData, "subject"> {
  /** The number of messages about the story that the user may read. */
  count: number;
  /** The path of the page. */
  path: string;
}

/** On the page of a story: switches between the messages about it and all messages. */
export function TalkSwitch({ count, subject, path }: TalkSwitchProps) {
  const label = count > 0 ? `This story · ${count}` : "This story";
  const views = [
    [TALK_STORY, label, subject !== null],
    [TALK_EVERYONE, "Everyone", subject === null],
  ] as const;
  return (
    <nav className={styles.views} aria-label="Which messages">
      {views.map(([view, name, isCurrent]) => (
        <Link
          key={view}
          className={styles.view}
          to={toTalkPath(path, view)}
          preventScrollReset
          aria-current={isCurrent || undefined}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
