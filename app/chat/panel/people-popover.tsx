import { Dialog, Popover, type PopoverProps } from "react-aria-components/Popover";

import { ANONYMOUS } from "#app/chat/message.ts";
import type { Person } from "#app/chat/presence.ts";
import { Bdi } from "#app/ui/bdi.tsx";
import popover from "#app/ui/popover.module.css";
import { Switch } from "#app/ui/switch.tsx";
import styles from "./people-popover.module.css";
import { Picture } from "./picture.tsx";
import type { AnnouncementsSetting } from "./arrival-announcer.tsx";

export interface PeoplePopoverProps {
  /** Those who are here, without those that the user has hidden; `null` while unknown. */
  people: readonly Person[] | null;
  /** How many of those that the user has hidden are here. */
  hiddenCount: number;
  /** The signed-in user, who is last in the list. */
  uid: string;
  /** Whether the signed-in user is not shown to others. */
  isUnseen: boolean;
  onUnseenChange: (isUnseen: boolean) => void;
  announcements: AnnouncementsSetting;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  /** The button that the popover opens next to. */
  triggerRef: NonNullable<PopoverProps["triggerRef"]>;
}

/** The list of the people in the room, with the switches of the unseen mode and of the announcements. */
export function PeoplePopover({
  people,
  hiddenCount,
  uid,
  isUnseen,
  onUnseenChange,
  announcements,
  ...props
}: PeoplePopoverProps) {
  return (
    <Popover
      {...props}
      className={`${popover.popover} ${styles.popover}`}
      placement="bottom end"
      offset={4}
    >
      <Dialog className={styles.dialog} aria-label="Who is here">
        {people && people.length > 0 ? (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboard users scroll it
          <ul className={styles.list} aria-label="People in the room" tabIndex={0}>
            {sortOwnLast(people, uid).map((person) => (
              <li key={person.uid} className={styles.person}>
                <Picture photoURL={person.photoURL} />
                <span className={styles.name}>
                  <Bdi>{person.name ?? ANONYMOUS}</Bdi>
                  {person.uid === uid ? " (you)" : null}
                </span>
              </li>
            ))}
          </ul>
        ) : null}
        {hiddenCount > 0 ? (
          <p className={styles.empty}>
            {hiddenCount === 1 ? "1 person you hid is" : `${hiddenCount} people you hid are`} here
            too.
          </p>
        ) : null}
        {hiddenCount === 0 && !people?.length ? (
          <p className={styles.empty}>
            {people ? "Nobody else is here." : "We can't see who is here right now."}
          </p>
        ) : null}
        <div className={styles.setting}>
          <Switch isSelected={isUnseen} onChange={onUnseenChange}>
            Don't show when I'm here or typing
          </Switch>
          <Switch
            isSelected={announcements.isOn}
            onChange={announcements.setIsOn}
            description={`For screen readers${announcements.isBesideStory ? ", beside a story" : ""}.`}
          >
            Announce new messages
          </Switch>
        </div>
      </Dialog>
    </Popover>
  );
}

function sortOwnLast(people: readonly Person[], uid: string): Person[] {
  return [
    ...people.filter((person) => person.uid !== uid),
    ...people.filter((person) => person.uid === uid),
  ];
}
