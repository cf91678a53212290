import { Link, useNavigate, useRevalidator } from "@remix-run/react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";

import type { FormError } from "#app/http/form.ts";
import { useRoomDock } from "#app/chat/dock/use-room-dock.tsx";
import {
  ANONYMOUS,
  getPublicName,
  SIGN_IN_REASONS,
  toInputId,
  type Message,
  type MessageResult,
  type RoomData,
  type UnsentMessage,
} from "#app/chat/message.ts";
import { NamesContext, useNames } from "#app/chat/mentions/mentions.ts";
import { formatReply, isAbout } from "#app/chat/quotes/quote.ts";
import { useOutbox } from "#app/chat/outbox/use-outbox.ts";
import { QuotedStoriesContext, useQuotedStories } from "#app/chat/quotes/use-quoted-stories.ts";
import { TALK_EVERYONE, toNewestPath, toTalkPath } from "#app/chat/room-address.ts";
import { useFeed } from "#app/chat/use-feed.ts";
import { useFirstUnread } from "#app/chat/use-first-unread.ts";
import { MessageActionsContext, useMessageActions } from "#app/chat/use-message-actions.ts";
import { useEdits, useTopics } from "#app/chat/use-records.ts";
import { usePresence } from "#app/chat/use-presence.ts";
import { getSignInPath } from "#app/session/return-to.ts";
import { startSessionSync } from "#app/session/use-session-sync.ts";
import type { User } from "#app/session/user.ts";
import { useLocale, useNow } from "#app/site/locale/use-locale.ts";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import {
  ArrivalAnnouncer,
  useAnswerArrivals,
  useAnnouncementsSetting,
} from "./arrival-announcer.tsx";
import { ChatHeader, Passage, PassageHead, TalkSwitch, PeopleHere } from "./chat-header.tsx";
import styles from "./chat-panel.module.css";
import { Composer } from "./composer.tsx";
import { Feed } from "./feed.tsx";
import { MessageEditor } from "./message-editor.tsx";
import {
  MutedNotice,
  ActionNotice,
  TypingIndicator,
  UnavailableFeed,
  UnseenLine,
  NameLine,
} from "./notices.tsx";
import { MessageList } from "./message-list.tsx";
import { PanelHead } from "./panel-head.tsx";
import { OriginalsContext } from "./message-cards.tsx";
import { usePendingMessages } from "./use-pending-messages.tsx";

export interface ChatPanelProps {
  room: RoomData;
  user: User | null;
  /** The path of the page, whose action sends messages. */
  path: string;
  /** What the page's action returned, if the page was submitted without scripts. */
  result: MessageResult | UnsentMessage | undefined;
  /** The error of a sign-in with Google that left the page and came back. */
  signInError: FormError | undefined;
  /** The id of the page's own form. Without scripts it contains the composer, so that one submit saves both. */
  pageFormId?: string;
  /** Whether the panel is visible. Only a visible panel updates live. @default true */
  isOpen?: boolean;
  /** The state of the message field in the server's HTML, which this panel replaces. */
  typed?: { text: string; isFocused: boolean } | undefined;
  /** Loads the room again, on a page whose loader doesn't. */
  onReload?: () => void;
  /** The button that closes the panel. Without it the panel has no title. */
  close?: { label: string; onClose: () => void };
}

/** The chat room: the user, the feed and the composer. */
export function ChatPanel({
  room,
  user,
  path,
  result,
  signInError,
  pageFormId,
  isOpen = true,
  typed,
  onReload,
  close,
}: ChatPanelProps) {
  const locale = useLocale(room.locale);
  const now = useNow(room.now);
  // Each revalidation returns a new object with the same values, which would restart the subscriptions.
  const [firebase] = useState(room.firebase);
  const received = useFeed(firebase, room, isOpen);
  const messageActions = useMessageActions(user?.uid, room.hiddenUids, isOpen);
  const { actions, state: actionsState } = messageActions;
  const { deletions, hiddenUids } = actionsState;
  // The database reports which of the newest 50 were deleted, but of no earlier ones.
  const remaining = useMemo(
    () => received.messages.filter(({ id }) => deletions.get(id)?.status !== "sent"),
    [received.messages, deletions],
  );
  const feed = { ...received, messages: remaining };
  const pending = useOutbox({
    uid: user?.uid,
    nextId: room.nextId,
    result,
    typed: typed?.text,
    shown: received.messages,
  });
  const { outbox, initial, error, delay } = pending;
  const { subject } = room;
  const entries = useMemo(() => {
    const shownIds = new Set(received.messages.flatMap(({ id }) => [id, toInputId(id)]));
    return pending.entries.filter(
      ({ id, text, stored }) =>
        !shownIds.has(stored?.id ?? id) && (!subject || isAbout(text, subject)),
    );
  }, [pending.entries, received.messages, subject]);
  const isEmpty = feed.messages.length + entries.length === 0;
  const isLoaded = room.feed.status === "loaded" || feed.status === "live";
  const panel = useRef<HTMLElement>(null);
  const viewer = useMemo(() => ({ uid: user?.uid, hiddenUids }), [user?.uid, hiddenUids]);
  const firstUnreadId = useFirstUnread(
    feed.messages,
    viewer,
    feed.status === "live",
    isOpen && !room.isEarlier && !subject,
  );
  const quotedStories = useQuotedStories(room.stories, feed.messages, { uid: user?.uid, subject });
  const records = { firebase, messages: feed.messages, isLive: feed.status === "live", isOpen };
  const edits = useEdits(records);
  const messages = useTopics(records);
  const { deletedIds } = feed;
  const isWhole = isLoaded && !subject && feed.before === null;
  const originals = useMemo(
    () => ({
      messages: new Map(messages.map((message) => [message.id, message])),
      viewer,
      isDeleted: (id: string) =>
        isWhole || deletedIds.has(id) || deletions.get(id)?.status === "sent",
    }),
    [messages, viewer, isWhole, deletedIds, deletions],
  );
  const isSignInNeeded = error !== null && SIGN_IN_REASONS.has(error.reason);
  const pendingMessages = usePendingMessages({
    outbox,
    entries,
    sending: pending.sending,
    waitsFor: isSignInNeeded ? error.reason : delay?.reason,
    user: user?.uid === pending.uid ? user : null,
  });
  const chatUser = isSignInNeeded ? null : user;
  const signInPath = getSignInPath(`${path}#room`, "chat");
  const presence = usePresence(firebase, chatUser, isOpen);
  const names = useNames(feed.messages, presence.here, user, viewer);
  const known = presence.mute === undefined ? room.mute : presence.mute;
  const mute = chatUser && known && known.until > now ? known : null;
  const reply = useCallback(
    (message: Message) => {
      // The composer takes the place of the editor. What was typed into that is kept.
      actions.cancelEdit();
      outbox.setReply({ id: message.id, lines: formatReply(message) });
      // Waits until the menu has closed, because closing it moves the focus.
      setTimeout(() => focusMessageField(panel.current));
    },
    [actions, outbox],
  );
  const isMuted = mute !== null;
  const menuActions = useMemo(
    () => ({ ...messageActions, reply: isMuted ? undefined : reply }),
    [messageActions, reply, isMuted],
  );
  const announcements = useAnnouncementsSetting(path);
  const [isPeopleOpen, setIsPeopleOpen] = useState(false);
  const peopleButton = useRef<HTMLButtonElement>(null);
  const [sentCount, setSentCount] = useState(0);
  const { revalidate } = useRevalidator();
  const reload = useCallback(() => {
    revalidate();
    onReload?.();
  }, [revalidate, onReload]);
  const navigate = useNavigate();
  useReportPeopleCount(presence.here);
  useAnswerArrivals(feed, user?.uid);

  const storedCount = entries.filter(({ stored }) => stored).length;
  useEffect(() => {
    // Without the subscription, stored messages come from the loader.
    if (storedCount > 0 && feed.status !== "live") reload();
  }, [storedCount, feed.status, reload]);

  const isOwn = ({ uid }: Message) => uid === user?.uid;
  // The mark beside a passage counts a message until the server has deleted it.
  const ownCount = received.messages.filter(
    (message) => isOwn(message) && !actionsState.deletedIds.has(message.id),
  ).length;
  const loadedOwnCount =
    room.feed.status === "loaded" ? room.feed.messages.filter(isOwn).length : 0;
  useEffect(() => {
    // The mark beside the passage counts the user's new message about it.
    if (subject && ownCount !== loadedOwnCount) revalidate();
    // oxlint-disable-next-line react/exhaustive-deps -- only when a message is added or removed
  }, [ownCount]);

  function handleSend(text: string) {
    presence.stopTyping();
    setSentCount((count) => count + 1);
    if (subject && !isAbout(text, subject)) navigate(toTalkPath(path, TALK_EVERYONE, "newest"));
    else if (room.isEarlier) navigate(toNewestPath(path));
  }

  function showPeople() {
    // The focus returns to this button when the list closes. The button that was pressed may be gone by then.
    peopleButton.current?.focus();
    setIsPeopleOpen(true);
  }

  const people = chatUser ? (
    <PeopleHere
      presence={presence}
      uid={chatUser.uid}
      hiddenUids={hiddenUids}
      announcements={announcements}
      isOpen={isPeopleOpen}
      onOpenChange={setIsPeopleOpen}
      buttonRef={peopleButton}
    />
  ) : null;

  const isWholeStory = subject?.paragraph === null && feed.before === null;
  const views = subject?.paragraph ? (
    <PassageHead count={feed.messages.length} path={path} />
  ) : room.talk ? (
    <TalkSwitch
      count={
        isWholeStory
          ? messages.filter(
              (message) =>
                isOwn(message) ||
                (!hiddenUids.has(message.uid) && !quotedStories.isAboutLaterPart(message)),
            ).length
          : room.talk.count
      }
      subject={subject}
      path={path}
    />
  ) : null;

  return (
    <section
      id="room"
      ref={panel}
      className={styles.panel}
      aria-label="The room"
      data-live={feed.status}
    >
      {close ? (
        <PanelHead {...close} views={views}>
          {people}
        </PanelHead>
      ) : (
        views
      )}
      {/* The error says how to sign in without losing the text. */}
      {isSignInNeeded ? null : (
        <ChatHeader
          user={chatUser}
          path={path}
          pageFormId={pageFormId}
          signInError={signInError}
          onSignedIn={() => {
            outbox.clearError();
            startSessionSync();
            revalidate();
          }}
        >
          {close ? null : people}
        </ChatHeader>
      )}

      <Feed
        feed={feed}
        viewer={viewer}
        path={path}
        isEarlier={room.isEarlier}
        subject={subject}
        sentCount={sentCount}
        onReply={
          chatUser && !mute
            ? (id) => {
                const original = originals.messages.get(id);
                if (original) reply(original);
              }
            : undefined
        }
      >
        {isEmpty && !isLoaded ? (
          <UnavailableFeed path={path} pageFormId={pageFormId} onRetry={reload} />
        ) : null}
        <QuotedStoriesContext.Provider value={quotedStories}>
          {subject?.paragraph ? <Passage subject={subject} /> : null}
          {isEmpty && isLoaded ? <p className={styles.empty}>{describeEmpty(subject)}</p> : null}
          <MessageActionsContext.Provider value={menuActions}>
            <OriginalsContext.Provider value={originals}>
              <NamesContext.Provider value={names}>
                <MessageList
                  // What a user has unfolded is folded for the next one.
                  key={user?.uid ?? ""}
                  messages={messages}
                  pending={pendingMessages}
                  edits={edits}
                  firstUnreadId={firstUnreadId}
                  locale={locale}
                  now={now}
                />
              </NamesContext.Provider>
            </OriginalsContext.Provider>
          </MessageActionsContext.Provider>
        </QuotedStoriesContext.Provider>
      </Feed>
      <ArrivalAnnouncer
        // Another view has older messages that the last one did not have.
        key={subject?.quote}
        feed={{ messages, status: feed.status }}
        isAboutLaterPart={quotedStories.isAboutLaterPart}
        viewer={viewer}
        isOn={announcements.isOn}
        locale={locale}
      />

      {presence.isUnseen ? <UnseenLine onChange={showPeople} /> : null}
      <TypingIndicator
        people={presence.typing.filter(({ uid }) => !hiddenUids.has(uid))}
        messages={feed.messages}
      />

      {feed.isLost ? (
        <div className={styles.banner}>
          <MessageBanner severity="warn">
            New messages aren't arriving. We're trying again.
          </MessageBanner>
        </div>
      ) : null}
      {delay && !error ? (
        <div className={styles.banner}>
          <MessageBanner
            severity="warn"
            hint={
              outbox.isPersistent() ? delay.hint : `${delay.hint} Keep this page open until then.`
            }
          >
            Not sent yet.
          </MessageBanner>
        </div>
      ) : null}
      <ActionNotice notice={actionsState.notice} room={room} onDismiss={actions.clearNotice} />
      {error ? (
        <div className={styles.banner}>
          <MessageBanner
            severity="error"
            hint={
              isSignInNeeded ? (
                <>
                  {error.hint}{" "}
                  <a href={signInPath} target="_blank" rel="noreferrer">
                    Sign in from another tab
                  </a>
                  , then send it again.
                </>
              ) : (
                error.hint
              )
            }
          >
            {error.message}
          </MessageBanner>
        </div>
      ) : null}

      {chatUser || isSignInNeeded ? null : (
        <p className={styles.prompt}>
          Please <Link to={signInPath}>sign in</Link> to chat.
        </p>
      )}
      {chatUser && getPublicName(chatUser.displayName) === ANONYMOUS ? (
        <NameLine user={chatUser} onDone={() => focusMessageField(panel.current)} />
      ) : null}
      {chatUser && mute ? (
        <MutedNotice
          mute={mute}
          hasAsked={room.mute?.until === mute.until && room.mute.hasAsked}
          uid={chatUser.uid}
          path={path}
          outbox={outbox}
          initial={initial}
          locale={locale}
          now={now}
        />
      ) : null}
      {user && !mute && actionsState.editing ? (
        <MessageEditor
          key={actionsState.editing.id}
          message={actionsState.editing}
          names={names.others}
          actions={actions}
          onClose={() => {
            setTimeout(() => {
              const { activeElement, body } = document;
              // While the text was being stored, the user may have continued outside of the room.
              if (activeElement === body || panel.current?.contains(activeElement))
                focusMessageField(panel.current);
            });
            // Without the subscription, the text comes from the loader.
            if (feed.status !== "live") reload();
          }}
        />
      ) : null}
      {!mute && !actionsState.editing && (chatUser || error) ? (
        <Composer
          path={path}
          outbox={outbox}
          initial={initial}
          uid={pending.uid}
          names={names.others}
          subject={subject}
          pageFormId={pageFormId}
          isAutoFocused={
            typed?.isFocused ?? (result?.status === "error" && result.reason !== "draft-not-saved")
          }
          onTyping={presence.onKeystroke}
          onSend={handleSend}
          onBlur={presence.stopTyping}
        />
      ) : null}
    </section>
  );
}

function describeEmpty(subject: RoomData["subject"]): string {
  if (!subject) return "Nobody has spoken yet. Say hello.";
  if (subject.paragraph !== null) return "No messages about this passage yet.";
  // The server's panel is for pages without scripts, which cannot quote a selection.
  return import.meta.env.SSR
    ? "No messages about this story yet. Write the first one."
    : "No messages about this story yet. Select a sentence to quote it, or write the first one.";
}

/** Passes the number of people in the room to the link in the site's header. */
function useReportPeopleCount(here: ReturnType<typeof usePresence>["here"]) {
  const { setPeopleCount } = useRoomDock();
  const value = here?.people.length;
  const hasMore = here?.hasMore ?? false;

  useEffect(() => {
    if (value === undefined) return undefined;
    setPeopleCount({ value, hasMore });
    return () => setPeopleCount(null);
  }, [value, hasMore, setPeopleCount]);
}

/** Moves the focus to the end of what is typed. */
function focusMessageField(panel: HTMLElement | null) {
  const field = panel?.querySelector<HTMLTextAreaElement>("textarea[name=message]");
  field?.focus();
  field?.setSelectionRange(field.value.length, field.value.length);
}
