import { Link } from "@remix-run/react";

import type { RoomData } from "#app/chat/message.ts";
import { TALK_EVERYONE, TALK_STORY, toTalkPath } from "#app/chat/room-address.ts";
import styles from "./talk-switch.module.css";

export interface TalkSwitchProps extends Pick<RoomData, "subject"> {
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
