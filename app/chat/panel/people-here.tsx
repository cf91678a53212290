import { lazy, Suspense, useState, type ComponentType, type RefObject } from "react";

import type { PeopleHere as Here } from "#app/chat/presence.ts";
import { formatPeopleCount } from "#app/chat/room-summary.ts";
import type { usePresence } from "#app/chat/use-presence.ts";
import { retry } from "#app/http/wait.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { Icon } from "#app/ui/icon.tsx";
import styles from "./people-here.module.css";
import type { PeoplePopoverProps } from "./people-popover.tsx";
import type { AnnouncementsSetting } from "./arrival-announcer.tsx";

const MAX_PHOTOS = 3;

/** Loaded when the list is first opened. The Worker does not contain its code, because the server never renders it. */
const PeoplePopover: ComponentType<PeoplePopoverProps> = import.meta.env.SSR
  ? () => null
  : lazy<ComponentType<PeoplePopoverProps>>(load);

/** Loads the list's code. Tries again while the browser is offline or the server does not respond. */
function load(): Promise<{ default: ComponentType<PeoplePopoverProps> }> {
  return retry(async () => ({ default: (await import("./people-popover.tsx")).PeoplePopover }));
}

export interface PeopleHereProps {
  presence: Pick<ReturnType<typeof usePresence>, "here" | "isUnseen" | "setUnseen">;
  /** The signed-in user. */
  uid: string;
  /** The people that the user has hidden. They are counted, but not shown. */
  hiddenUids: ReadonlySet<string>;
  announcements: AnnouncementsSetting;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  /** The button, which is focused when the list closes, if it had the focus before. */
  buttonRef: RefObject<HTMLButtonElement>;
}

/** A button with the number of people in the room, once the database has responded. It opens their list. */
export function PeopleHere({
  presence,
  uid,
  hiddenUids,
  announcements,
  isOpen,
  onOpenChange,
  buttonRef,
}: PeopleHereProps) {
  const { here, isUnseen, setUnseen } = presence;
  const [wasOpened, setWasOpened] = useState(false);
  if (isOpen && !wasOpened) setWasOpened(true);
  if (isUnseen === null || !(here || isUnseen || isOpen)) return null;

  const shown = here?.people.filter((person) => !hiddenUids.has(person.uid)) ?? null;
  const photos = new Set(shown?.flatMap(({ photoURL }) => photoURL ?? []));
  return (
    <>
      <button
        ref={buttonRef}
        type="button"
        className={styles.button}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={({ currentTarget }) => {
          // Safari does not focus a button that is pressed.
          currentTarget.focus();
          onOpenChange(true);
        }}
      >
        {photos.size > 0 ? (
          <span className={styles.photos}>
            {[...photos].slice(0, MAX_PHOTOS).map((photo) => (
              <Avatar key={photo} src={photo} />
            ))}
          </span>
        ) : null}
        <span>{here ? describeCount(here) : "Who is here"}</span>
        <Icon name="down" />
      </button>
      {wasOpened ? (
        <Suspense>
          <PeoplePopover
            people={shown}
            hiddenCount={here && shown ? here.people.length - shown.length : 0}
            uid={uid}
            isUnseen={isUnseen}
            onUnseenChange={setUnseen}
            announcements={announcements}
            isOpen={isOpen}
            onOpenChange={onOpenChange}
            triggerRef={buttonRef}
          />
        </Suspense>
      ) : null}
    </>
  );
}

function describeCount({ people, hasMore }: Here): string {
  return `${formatPeopleCount({ value: people.length, hasMore })} here`;
}
