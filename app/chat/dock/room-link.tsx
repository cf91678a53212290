import { useLocation, useNavigate, useRevalidator } from "@remix-run/react";
import { useEffect, useState, type MouseEvent } from "react";

import { formatAnswerCount } from "#app/chat/answers/answer.ts";
import { getLastSeen } from "./room-storage.tsx";
import { CREATE_PATH, toRoomPath } from "#app/chat/room-address.ts";
import {
  formatPeopleCount,
  type NewestMessage,
  type PeopleCount,
  type RoomSummary,
} from "#app/chat/room-summary.ts";
import { startSessionSync } from "#app/session/use-session-sync.ts";
import { NavItem } from "#app/site/shell/shell.tsx";
import badge from "#app/ui/count-badge.module.css";
import { Icon } from "#app/ui/icon.tsx";
import { useHydrated } from "#app/ui/hydration.ts";
import { VisuallyHidden } from "#app/ui/visually-hidden.tsx";
import styles from "./room-link.module.css";
import { useRoomDock } from "./use-room-dock.tsx";

export interface RoomLinkProps {
  uid: string | undefined;
  /** The number of people in the room, as far as the server knows. @default 0 */
  initialCount?: number;
}

/**
 * The header's link to the room, with the number of people there, and a dot for unread messages. On phones, which have no
 * link to the answers in the header, it has the number of unread answers instead of the dot.
 */
export function RoomLink({ uid, initialCount = 0 }: RoomLinkProps) {
  const { pathname, search } = useLocation();
  const { isOpen, open, close, peopleCount, answerCount } = useRoomDock();
  const summary = useRoomSummary(uid, isOpen);
  const isHydrated = useHydrated();
  const isOnCreate = pathname === CREATE_PATH;
  const hasRoom = isOnCreate || pathname === "/home" || pathname.startsWith("/read/");
  const shown = peopleCount ?? summary.here ?? { value: initialCount, hasMore: false };
  const count = shown.value > 0 ? shown : null;

  function toggle(event: MouseEvent) {
    const isNewTab = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    // On /create the link chooses the tab of the side panel.
    if (isOnCreate || isNewTab || event.button !== 0) return;
    event.preventDefault();
    if (isOpen) close();
    else open();
  }

  return (
    <NavItem
      to={toRoomPath(hasRoom ? pathname + search : "/home")}
      onClick={toggle}
      aria-expanded={isHydrated && !isOnCreate ? isOpen : undefined}
    >
      <span className={styles.label}>
        Room
        {count ? (
          <span className={styles.count}>
            <Icon name="people" />
            {formatPeopleCount(count)}
          </span>
        ) : null}
        <VisuallyHidden>{describeRoom(count, summary.hasUnread)}</VisuallyHidden>
        {answerCount > 0 ? (
          <span className={`${badge.badge} ${styles.answers}`}>
            {formatAnswerCount(answerCount)}
            <VisuallyHidden> unread {answerCount === 1 ? "answer" : "answers"}</VisuallyHidden>
          </span>
        ) : null}
        {summary.hasUnread ? <span className={styles.dot} /> : null}
      </span>
    </NavItem>
  );
}

/** Returns what a screen reader says after the number. */
function describeRoom(count: PeopleCount | null, hasUnread: boolean): string {
  const people = count?.value === 1 ? "person" : "people";
  return [...(count ? [`${people} here`] : []), ...(hasUnread ? ["new messages"] : [])].join(", ");
}

/** How long to wait before the first request: everything else on the page is more urgent. */
const DELAY_MS = 1000;

const UNKNOWN: RoomSummary = { here: null, newest: null };

/**
 * Returns the number of people in the room, and whether it has messages that this device has not shown. Asks the server
 * while the page is visible; while the room is open, only for the answers to a user. Revalidates the page when its session
 * has ended elsewhere.
 */
function useRoomSummary(uid: string | undefined, isOpen: boolean) {
  const [{ here, newest }, setSummary] = useState(UNKNOWN);
  const { setAnswerCount } = useRoomDock();
  const { revalidate } = useRevalidator();
  const navigate = useNavigate();

  useEffect(() => () => setAnswerCount(0), [uid, setAnswerCount]);

  useEffect(() => {
    if (isOpen && uid === undefined) return undefined;
    let hasEnded = false;
    let unsubscribe: (() => void) | undefined;
    let lastNewest: NewestMessage | null = null;

    async function subscribe() {
      const { subscribeToSummary } = await import("./room-summary.client.ts");
      if (hasEnded) return;
      unsubscribe = subscribeToSummary({
        onSummary(summary) {
          // A message of a hidden person leaves unread what was sent before it.
          lastNewest = summary ? (summary.newest ?? lastNewest) : null;
          setSummary({ ...(summary ?? UNKNOWN), newest: lastNewest });
          if (summary?.answers !== undefined) setAnswerCount(summary.answers?.count ?? 0);
          if (summary?.hasEnded && uid !== undefined) {
            startSessionSync();
            revalidate();
          }
          if (isOpen || summary === null) return false;
          return getLastSeen() !== null && !isUnread(lastNewest, uid);
        },
        onOpen(path, unread) {
          setAnswerCount(unread);
          navigate(path);
        },
        uid,
      });
    }

    // The link also works without a number.
    const timer = setTimeout(() => void subscribe().catch(() => undefined), DELAY_MS);
    return () => {
      hasEnded = true;
      clearTimeout(timer);
      unsubscribe?.();
      setSummary(UNKNOWN);
    };
  }, [uid, isOpen, revalidate, setAnswerCount, navigate]);

  return { here, hasUnread: !isOpen && isUnread(newest, uid) };
}

/** Whether the newest message is by somebody else, and this device has shown the room, but not this message. */
function isUnread(newest: NewestMessage | null, uid: string | undefined): boolean {
  return newest !== null && newest.uid !== uid && newest.createdAt > (getLastSeen() ?? Infinity);
}
