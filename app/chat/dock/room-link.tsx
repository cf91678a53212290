import { useLocation } from "@remix-run/react";
import type { MouseEvent } from "react";

import { CREATE_PATH, toRoomPath } from "#app/chat/room-address.ts";
import { formatPeopleCount, type PeopleCount } from "#app/chat/room-summary.ts";
import { NavItem } from "#app/site/shell/nav-item.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { VisuallyHidden } from "#app/ui/visually-hidden.tsx";
import styles from "./room-link.module.css";
import { useRoomDock } from "./use-room-dock.tsx";
import { useRoomSummary } from "./use-room-summary.ts";

export interface RoomLinkProps {
  uid: string | undefined;
  /** The number of people in the room, as far as the server knows. @default 0 */
  initialCount?: number;
}

/** The header's link to the room, with the number of people there and a dot for unread messages. */
export function RoomLink({ uid, initialCount = 0 }: RoomLinkProps) {
  const { pathname, search } = useLocation();
  const { isOpen, open, close, peopleCount } = useRoomDock();
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
        {summary.hasUnread ? <span className={styles.dot} /> : null}
        <VisuallyHidden>{describeRoom(count, summary.hasUnread)}</VisuallyHidden>
      </span>
    </NavItem>
  );
}

/** Returns what a screen reader says after the number. */
function describeRoom(count: PeopleCount | null, hasUnread: boolean): string {
  const people = count?.value === 1 ? "person" : "people";
  return [...(count ? [`${people} here`] : []), ...(hasUnread ? ["new messages"] : [])].join(", ");
}
