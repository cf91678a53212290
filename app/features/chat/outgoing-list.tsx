import type { Account } from "#app/schemas/account.ts";
import type { Clock } from "#app/schemas/clock.ts";
import { ANONYMOUS } from "#app/schemas/message.ts";
import { Bubble } from "./bubble.tsx";
import styles from "./message-list.module.css";
import type { Outgoing } from "./outbox.ts";

export interface OutgoingListProps {
  outgoing: Outgoing[];
  account: Account | null;
  clock: Clock;
}

/** Shows messages on their way, as they will stand in the feed, but without a time. */
export function OutgoingList({ outgoing, account, clock }: OutgoingListProps) {
  if (outgoing.length === 0) return null;
  const { uid = "", photoURL = null, displayName } = account ?? {};
  const author = { uid, photoURL, displayName: displayName ?? ANONYMOUS, createdAt: null };
  return (
    <ol className={styles.list} data-outgoing>
      {outgoing.map(({ id, text, stored }) => (
        <li key={id} className={styles.item}>
          <Bubble message={{ ...author, id, text }} isOwn isSending={!stored} clock={clock} />
        </li>
      ))}
    </ol>
  );
}
