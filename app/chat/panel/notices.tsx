import { useRevalidator } from "@remix-run/react";
import { useRef, useState, type ReactNode } from "react";

import type { Notice } from "#app/chat/message-actions.ts";
import { DONE } from "#app/chat/message-intents.ts";
import type { Message, RoomData } from "#app/chat/message.ts";
import type { Person } from "#app/chat/presence.ts";
import { toRetryPath } from "#app/chat/room-address.ts";
import { Bdi } from "#app/ui/bdi.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import { useBrowserLayoutEffect, useHydrated } from "#app/ui/hydration.ts";
import styles from "./chat-panel.module.css";
import { UNSEEN } from "./icon-paths.ts";

const SUCCESS_LIFE_MS = 8000;

interface ActionNoticeProps {
  notice: Notice | null;
  /** Says what was done before this page, on another one. */
  room: Pick<RoomData, "done">;
  onDismiss: () => void;
}

/** The result of the last action on a message. A success closes automatically, unless it says how to undo it. */
export function ActionNotice({ notice, room, onDismiss }: ActionNoticeProps) {
  const [last, setLast] = useState<typeof room>();
  const { done } = last === room ? { done: null } : room;
  // Another notice has replaced what the room says, which must not appear again.
  if (notice && done) setLast(room);
  const shown = notice ?? (done && { id: 0, severity: "success", ...DONE[done] });
  if (!shown) return null;
  const { id, severity, message, hint } = shown;
  return (
    <div className={styles.banner}>
      <MessageBanner
        key={id}
        severity={severity}
        hint={hint}
        isDismissable
        onDismiss={onDismiss}
        {...(severity === "success" && !hint && { life: SUCCESS_LIFE_MS })}
      >
        {message}
      </MessageBanner>
    </div>
  );
}

interface UnavailableFeedProps {
  /** The path of the page. */
  path: string;
  /** The id of the page's own form. Without scripts, following a link would lose what is typed there. */
  pageFormId: string | undefined;
  onRetry: () => void;
}

/** Shown instead of the messages while the room can't be reached. */
export function UnavailableFeed({ path, pageFormId, onRetry }: UnavailableFeedProps) {
  const isHydrated = useHydrated();
  const { state } = useRevalidator();
  const container = useRef<HTMLDivElement>(null);

  useBrowserLayoutEffect(() => {
    const element = container.current;
    return () => {
      // The focused button is about to disappear.
      if (!element?.contains(document.activeElement)) return;
      element.closest<HTMLElement>("[role=log]")?.focus({ preventScroll: true });
    };
  }, []);

  return (
    <div ref={container} className={styles.empty}>
      <p>We can't reach the room right now. Nothing was lost; try again in a moment.</p>
      {isHydrated ? (
        <Button variant="quiet" isPending={state !== "idle"} onPress={onRetry}>
          Try again
        </Button>
      ) : null}
      {!isHydrated && pageFormId === undefined ? (
        <ButtonLink variant="quiet" to={toRetryPath(path)} reloadDocument>
          Try again
        </ButtonLink>
      ) : null}
    </div>
  );
}

/** Reminds users above the composer that unseen mode is on, with a button that opens the setting. */
export function UnseenLine({ onChange }: { onChange: () => void }) {
  return (
    <div className={styles.unseen}>
      <Icon path={UNSEEN} />
      <p className={styles.unseenText}>Others can't see that you're here.</p>
      <Button variant="quiet" className={styles.unseenButton} onPress={onChange}>
        Change
      </Button>
    </div>
  );
}

interface TypingIndicatorProps {
  /** The other users who are typing, without hidden people. */
  people: Person[];
  /** The messages of the feed, which have the names of users whose presence has none. */
  messages: Message[];
}

export function TypingIndicator({ people, messages }: TypingIndicatorProps) {
  const names = people.map(({ uid, name }) => name ?? getName(uid, messages));
  return <p className={styles.typing}>{describeTyping(names)}</p>;
}

function describeTyping([first, second, third]: string[]): ReactNode {
  if (first === undefined) return null;
  if (third !== undefined) return "Several people are typing…";
  return (
    <>
      <Bdi>{first}</Bdi>
      {second === undefined ? (
        " is typing…"
      ) : (
        <>
          {" and "}
          <Bdi>{second}</Bdi>
          {" are typing…"}
        </>
      )}
    </>
  );
}

function getName(uid: string, messages: Message[]): string {
  return messages.findLast((message) => message.uid === uid)?.displayName ?? "Someone";
}
