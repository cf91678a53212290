import { Link, useFetcher } from "@remix-run/react";
import {
  lazy,
  Suspense,
  useRef,
  useState,
  type ComponentType,
  type ReactNode,
  type RefObject,
} from "react";

import { GoogleBanner, GoogleForm, useGoogle } from "#app/accounts/google/google-form.tsx";
import { formatAnswerCount } from "#app/chat/answers/answer.ts";
import { useRoomDock } from "#app/chat/dock/use-room-dock.tsx";
import type { RoomData } from "#app/chat/message.ts";
import type { PeopleHere as Here } from "#app/chat/presence.ts";
import type { RoomSubject } from "#app/chat/quotes/topic.ts";
import { useQuotedStoriesValue } from "#app/chat/quotes/use-quoted-stories.ts";
import { isForEveryone, TALK_EVERYONE, TALK_STORY, toTalkPath } from "#app/chat/room-address.ts";
import { formatPeopleCount } from "#app/chat/room-summary.ts";
import type { usePresence } from "#app/chat/use-presence.ts";
import type { FormError } from "#app/http/form.ts";
import { retry } from "#app/http/wait.ts";
import type { User } from "#app/session/user.ts";
import { findFormError, type Offline } from "#app/site/offline.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { Bdi } from "#app/ui/bdi.tsx";
import { Button } from "#app/ui/button.tsx";
import badge from "#app/ui/count-badge.module.css";
import { useBrowserLayoutEffect, useHydrated } from "#app/ui/hydration.ts";
import { Icon } from "#app/ui/icon.tsx";
import { VisuallyHidden } from "#app/ui/visually-hidden.tsx";
import styles from "./chat-header.module.css";
import type { PeoplePopoverProps } from "./people-popover.tsx";
import type { AnnouncementsSetting } from "./arrival-announcer.tsx";

export interface ChatHeaderProps {
  user: User | null;
  /** The path of the page. */
  path: string;
  /** The error of a sign-in with Google that left the page and came back. */
  signInError: FormError | undefined;
  /** The id of the page's own form. Without scripts, signing out submits it, so that its content is saved. */
  pageFormId: string | undefined;
  /** Called when Google's pop-up has signed the user in. */
  onSignedIn: () => void;
  /** Shown after the name of a signed-in user. */
  children?: ReactNode;
}

const GOOGLE_FORM_ID = "room-google";

/** Shows the user and the sign-out button, or the sign-in button. */
export function ChatHeader({ user, ...props }: ChatHeaderProps) {
  return user ? <SignedIn user={user} {...props} /> : <SignedOut {...props} />;
}

function SignedOut({
  path,
  signInError,
  onSignedIn,
}: Pick<ChatHeaderProps, "path" | "signInError" | "onSignedIn">) {
  const google = useGoogle(signInError, { onSignedIn });
  return (
    <>
      <header className={styles.header}>
        <GoogleForm id={GOOGLE_FORM_ID} google={google} screen="room" returnTo={path}>
          Sign in with Google
        </GoogleForm>
      </header>
      {google.error ? (
        <GoogleBanner error={google.error} formId={GOOGLE_FORM_ID} className={styles.error} />
      ) : null}
    </>
  );
}

interface SignedInProps extends Pick<ChatHeaderProps, "path" | "pageFormId" | "children"> {
  user: User;
}

function SignedIn({ user, path, pageFormId, children }: SignedInProps) {
  const fetcher = useFetcher<Offline | null>();
  const isPending = fetcher.state !== "idle";
  const error = isPending ? undefined : findFormError(fetcher.data ?? undefined);
  const isHydrated = useHydrated();
  const { answerCount } = useRoomDock();
  const signOut = useRef<HTMLButtonElement>(null);

  useBrowserLayoutEffect(() => {
    const button = signOut.current;
    return () => {
      // The button is about to be removed, and the focus with it.
      if (button && document.activeElement === button) focusRoom(button);
    };
  }, []);

  return (
    <>
      <header className={styles.header}>
        <Avatar src={user.photoURL} />
        <span className={styles.name}>
          <Bdi>{user.displayName ?? "You"}</Bdi>
        </span>
        {/* First, so that the others do not move when it appears. */}
        {children}
        <Link className={styles.answers} to="/profile?tab=answers">
          Answers
          {answerCount > 0 ? (
            <span className={badge.badge}>
              {formatAnswerCount(answerCount)}
              <VisuallyHidden> unread</VisuallyHidden>
            </span>
          ) : null}
        </Link>
        <fetcher.Form
          method="post"
          action="/logout"
          onSubmit={(event) => {
            // With scripts, `stay` leaves the page as it is, with everything that was typed on it.
            event.preventDefault();
            fetcher.submit({ stay: "true" }, { method: "post", action: "/logout" });
          }}
        >
          <input type="hidden" name="returnTo" value={path} />
          <Button
            ref={signOut}
            type="submit"
            variant="quiet"
            className={styles.signOut}
            isPending={isPending}
            {...(pageFormId &&
              !isHydrated && { form: pageFormId, name: "intent", value: "sign-out" })}
          >
            Sign out
          </Button>
        </fetcher.Form>
      </header>
      {error ? (
        <p className={styles.error} role="alert">
          {error}
        </p>
      ) : null}
    </>
  );
}

/** Moves the focus to the room around a control. */
function focusRoom(control: Element) {
  const room = control.closest("section");
  if (!room) return;
  room.tabIndex = -1;
  room.focus({ preventScroll: true });
}

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
