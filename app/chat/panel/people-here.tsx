import type { RefObject } from "react";
import { Button as AriaButton } from "react-aria-components/Button";
import { Dialog, DialogTrigger, Popover } from "react-aria-components/Popover";

import { ANONYMOUS } from "#app/chat/message.ts";
import { formatPeopleCount } from "#app/chat/room-summary.ts";
import type { PeopleHere as Here, Person } from "#app/chat/presence.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { Icon } from "#app/ui/icon.tsx";
import popover from "#app/ui/popover.module.css";
import { Switch } from "#app/ui/switch.tsx";
import styles from "./people-here.module.css";

const MAX_PHOTOS = 3;

const LEAF = "M4.5 15.5c0-6.5 4.3-11 11-11 0 6.7-4.5 11-11 11Zm0 0 5-5";

export interface PeopleHereProps {
  /** `null` while unknown. */
  here: Here | null;
  /** The signed-in user, who is last in the list. */
  uid: string;
  /** Whether the signed-in user is not shown to others. */
  isUnseen: boolean;
  onUnseenChange: (isUnseen: boolean) => void;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  /** The button, which is focused when the list closes, if it had the focus before. */
  buttonRef: RefObject<HTMLButtonElement>;
}

/** A button with the number of people in the room. It opens their list, with the switch of the unseen mode. */
export function PeopleHere({
  here,
  uid,
  isUnseen,
  onUnseenChange,
  isOpen,
  onOpenChange,
  buttonRef,
}: PeopleHereProps) {
  const people = here ? sortOwnLast(here.people, uid) : [];
  const photos = people.flatMap(({ photoURL }) => photoURL ?? []).slice(0, MAX_PHOTOS);

  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={onOpenChange}>
      <AriaButton ref={buttonRef} className={styles.button}>
        {photos.length > 0 ? (
          <span className={styles.photos}>
            {photos.map((photo) => (
              <Avatar key={photo} src={photo} />
            ))}
          </span>
        ) : null}
        <span>{here ? describeCount(here) : "Who is here"}</span>
        <Icon name="down" />
      </AriaButton>
      <Popover className={`${popover.popover} ${styles.popover}`} placement="bottom end" offset={4}>
        <Dialog className={styles.dialog} aria-label="Who is here">
          {people.length > 0 ? (
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboard users scroll it
            <ul className={styles.list} aria-label="People in the room" tabIndex={0}>
              {people.map((person) => (
                <li key={person.uid} className={styles.person}>
                  <Picture photoURL={person.photoURL} />
                  <span className={styles.name}>
                    {person.name ?? ANONYMOUS}
                    {person.uid === uid ? " (you)" : null}
                  </span>
                </li>
              ))}
            </ul>
          ) : (
            <p className={styles.empty}>
              {here ? "Nobody else is here." : "We can't see who is here right now."}
            </p>
          )}
          <div className={styles.setting}>
            <Switch isSelected={isUnseen} onChange={onUnseenChange}>
              Don't show when I'm here or typing
            </Switch>
          </div>
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

function Picture({ photoURL }: Pick<Person, "photoURL">) {
  if (photoURL) return <Avatar src={photoURL} />;
  return (
    <span className={styles.noPhoto}>
      <Icon path={LEAF} />
    </span>
  );
}

function describeCount({ people, hasMore }: Here): string {
  return `${formatPeopleCount({ value: people.length, hasMore })} here`;
}

function sortOwnLast(people: Person[], uid: string): Person[] {
  return [
    ...people.filter((person) => person.uid !== uid),
    ...people.filter((person) => person.uid === uid),
  ];
}
