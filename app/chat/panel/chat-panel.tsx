import { Link, useRevalidator } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";

import type { FormError } from "#app/accounts/form-error.ts";
import type {
  Refusal as MessageRefusal,
  RoomView,
  SendReply,
  TypedMessage,
} from "#app/chat/room-data.ts";
import { useLiveMessages } from "#app/chat/use-live-messages.ts";
import { useOutbox } from "#app/chat/use-outbox.ts";
import { useCompany } from "#app/chat/use-presence.ts";
import { useTypingSignal } from "#app/chat/use-typing.ts";
import { noteSignInElsewhere } from "#app/session/use-other-tabs.ts";
import type { User } from "#app/session/user.ts";
import { useLocale, useNow } from "#app/site/locale/use-locale.ts";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import { ChatHeader } from "./chat-header.tsx";
import styles from "./chat-panel.module.css";
import { Composer } from "./composer.tsx";
import { MessageList } from "./message-list.tsx";
import { OutgoingList } from "./outgoing-list.tsx";
import { TypingLine } from "./typing-line.tsx";

export interface ChatPanelProps {
  room: RoomView;
  account: User | null;
  /** The page the panel stands on: its action takes the messages. */
  path: string;
  /** What that action answered, on a page that was posted to without scripts. */
  reply: SendReply | TypedMessage | undefined;
  /** Why an attempt to sign in from here was refused that left the page. */
  signInRefusal: FormError | undefined;
  /** The form of what else is written on the page: without scripts it is saved by whoever signs out or sends. */
  pageForm?: string;
  /** Goes live when it can be seen. @default true */
  isOpen?: boolean;
}

/** Reasons to offer signing in. */
const NOT_SIGNED_IN = new Set<MessageRefusal["reason"]>(["unauthenticated", "other-user"]);

/** The shared room: who you are, what was said, and where to say something. */
export function ChatPanel({
  room,
  account,
  path,
  reply,
  signInRefusal,
  pageForm,
  isOpen = true,
}: ChatPanelProps) {
  const end = useRef<HTMLDivElement>(null);
  const locale = useLocale(room.locale);
  const now = useNow(room.now);
  // The same for the life of the page, while the loader's object is a new one each time.
  const [firebase] = useState(room.firebase);
  const live = useLiveMessages(firebase, room.messages, isOpen);
  const outbox = useOutbox({
    uid: account?.uid,
    nextId: room.nextId,
    reply,
    shown: live.messages,
  });
  const { draft, refusal, pending } = outbox;
  // The page may not know yet that the person is signed out, or that somebody else is signed in.
  const person = refusal && NOT_SIGNED_IN.has(refusal.reason) ? null : account;
  const company = useCompany(firebase, person?.uid, isOpen);
  const typing = useTypingSignal(company.setTyping);
  const [sentCount, setSentCount] = useState(0);
  const { revalidate } = useRevalidator();

  useEffect(() => {
    if (sentCount > 0) scrollTo(end.current);
  }, [sentCount]);

  const storedCount = pending.filter(({ stored }) => stored).length;
  useEffect(() => {
    // Without the listener nobody else would bring a message that was stored into the feed.
    if (storedCount > 0 && live.status !== "live") revalidate();
  }, [storedCount, live.status, revalidate]);

  function send() {
    typing.stop();
    outbox.send();
    setSentCount((count) => count + 1);
  }

  return (
    <section id="room" className={styles.panel} aria-label="The room" data-live={live.status}>
      <ChatHeader
        account={person}
        path={path}
        pageForm={pageForm}
        refusal={signInRefusal}
        onSignedIn={() => {
          // The page stays, with whatever is written on it; only the panel changes.
          outbox.forgive();
          noteSignInElsewhere();
          revalidate();
        }}
      />

      {/* Reversed, so that the newest line is in view without any script. */}
      <div
        className={styles.feed}
        role="log"
        aria-label="Messages"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scroller needs the keyboard
        tabIndex={0}
      >
        <div>
          <RoomState
            isReached={room.messages !== null || live.status === "live"}
            isEmpty={live.messages.length + pending.length === 0}
          />
          <MessageList messages={live.messages} uid={account?.uid} locale={locale} now={now} />
          <OutgoingList
            outgoing={pending}
            isPaused={outbox.isPaused}
            account={account?.uid === outbox.uid ? account : null}
            locale={locale}
            onSendAgain={outbox.canSendAgain ? outbox.sendAgain : undefined}
          />
          <div id="newest" ref={end} className={styles.end} />
        </div>
      </div>

      <TypingLine typists={company.typists} messages={live.messages} />

      {live.status === "failed" ? (
        <div className={styles.notice}>
          <MessageBanner severity="warn">
            New messages aren't arriving. Reload the page to see them.
          </MessageBanner>
        </div>
      ) : null}
      {refusal ? (
        <div className={styles.notice}>
          <MessageBanner severity="error" hint={refusal.hint}>
            {refusal.message}
          </MessageBanner>
        </div>
      ) : null}

      {person ? null : (
        <p className={styles.prompt}>
          Please <Link to="/login">sign in</Link> to chat.
        </p>
      )}
      {person || refusal ? (
        <Composer
          path={path}
          id={draft.id}
          text={draft.text}
          uid={outbox.uid}
          pageForm={pageForm}
          isAutoFocused={reply?.status === "refused" && reply.reason !== "held"}
          onText={(text) => {
            outbox.setText(text);
            typing.touch();
          }}
          onSend={send}
          onBlur={typing.stop}
        />
      ) : null}
    </section>
  );
}

function RoomState({ isReached, isEmpty }: { isReached: boolean; isEmpty: boolean }) {
  if (!isEmpty) return null;
  return (
    <p className={styles.empty}>
      {isReached
        ? "Nobody has spoken yet. Say hello."
        : "We can't reach the room right now. Nothing was lost; try again in a moment."}
    </p>
  );
}

function scrollTo(element: Element | null) {
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  element?.scrollIntoView({ behavior: isCalm ? "auto" : "smooth", block: "nearest" });
}
