import { ANONYMOUS } from "#app/chat/message.ts";
import type { Queued } from "#app/chat/outbox.ts";
import type { User } from "#app/session/user.ts";
import type { Locale } from "#app/site/locale/locale.ts";
import { Button } from "#app/ui/button.tsx";
import { Bubble } from "./bubble.tsx";
import styles from "./message-list.module.css";

export interface OutgoingListProps {
  outgoing: Queued[];
  /** One has failed, and those behind it wait. */
  isPaused: boolean;
  account: User | null;
  locale: Locale;
  /** Sends those that wait; absent where something else does. */
  onSendAgain: (() => void) | undefined;
}

/** Shows messages on their way, as they will stand in the feed, but without a time. */
export function OutgoingList({
  outgoing,
  isPaused,
  account,
  locale,
  onSendAgain,
}: OutgoingListProps) {
  if (outgoing.length === 0) return null;
  const { uid = "", photoURL = null, displayName } = account ?? {};
  const author = { uid, photoURL, displayName: displayName ?? ANONYMOUS, createdAt: null };
  return (
    <>
      <ol className={styles.list} data-outgoing>
        {outgoing.map(({ id, text, status }) => (
          <li key={id} className={styles.item}>
            <Bubble
              message={{ ...author, id, text }}
              isOwn
              note={describe(status, isPaused)}
              locale={locale}
            />
          </li>
        ))}
      </ol>
      {onSendAgain ? (
        <div className={styles.again}>
          <Button variant="quiet" onPress={onSendAgain}>
            Send again
          </Button>
        </div>
      ) : null}
    </>
  );
}

function describe(status: Queued["status"], isPaused: boolean): string | undefined {
  if (status === "sent") return undefined;
  if (status === "failed") return "Not sent";
  return status === "waiting" && isPaused ? "Waiting" : "Sending…";
}
