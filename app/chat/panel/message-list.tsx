import {
  Fragment,
  memo,
  useCallback,
  useContext,
  useMemo,
  useState,
  useEffect,
  useId,
  useRef,
  type ReactNode,
} from "react";

import type { MessageActionsState } from "#app/chat/message-actions.ts";
import type { Message } from "#app/chat/message.ts";
import { listStories } from "#app/chat/quotes/quoted-story.ts";
import { useQuotedStoriesValue } from "#app/chat/quotes/use-quoted-stories.ts";
import type { Edits } from "#app/chat/use-records.ts";
import { useMessageActionsValue } from "#app/chat/use-message-actions.ts";
import { formatDay, type Locale } from "#app/site/locale/locale.ts";
import { Button } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { useHydrated } from "#app/ui/hydration.ts";
import { Bdi } from "#app/ui/bdi.tsx";
import { useSecondsLeft } from "#app/ui/use-seconds-left.ts";
import { VisuallyHidden } from "#app/ui/visually-hidden.tsx";
import { Bubble, isSameGroup, MessageItem } from "./bubble.tsx";
import { HIDE, UNSEEN } from "./icon-paths.ts";
import styles from "./message-list.module.css";
import { MessageMenu } from "./message-menu.tsx";
import { MessageText } from "./message-text.tsx";
import cards from "./message-cards.module.css";
import { findOriginal, OriginalsContext } from "./message-cards.tsx";
import type { PendingMessage } from "./use-pending-messages.tsx";
import bubble from "./bubble.module.css";
import { describeText } from "./arrival-announcer.tsx";

const QUARTER_MS = 15 * 60_000;

export interface MessageListProps {
  messages: Message[];
  /** The user's messages on their way to the room. */
  pending: readonly PendingMessage[];
  edits: Edits;
  /** The message below the line "New". */
  firstUnreadId: string | undefined;
  locale: Locale;
  /** Milliseconds since the Unix epoch, for "Today". */
  now: number;
}

/**
 * Shows messages in order, below a heading for each day; the user's own are on the right. A pending message keeps its
 * elements once it is stored, so that a press on them is a click, and the focus stays. Memoized: the panel is rendered
 * again for everyone who types.
 */
export const MessageList = memo(function MessageList({
  messages,
  pending,
  edits,
  firstUnreadId,
  locale,
  now,
}: MessageListProps) {
  const { uid, state } = useMessageActionsValue();
  const { isAboutLaterPart } = useQuotedStoriesValue();
  /** The messages about later parts that the user has unfolded. */
  const [shownIds, setShownIds] = useState<ReadonlySet<string>>(new Set());
  const show = useCallback((ids: readonly string[]) => {
    setShownIds((before) =>
      ids.every((id) => before.has(id)) ? before : new Set([...before, ...ids]),
    );
  }, []);
  const shown = useMemo(
    (): ListedMessage[] => [...foldHidden(messages, state), ...pending],
    [messages, state, pending],
  );
  const days = toDays(shown, locale, now);
  const isNewDay = (index: number) => days[index] !== days[index - 1];
  const isBelowLine = (message: ListedMessage, index: number) =>
    isNewDay(index) || message.id === firstUnreadId;
  const isFolded = (message: ListedMessage) =>
    !message.foldedIds &&
    !message.pending &&
    message.uid !== uid &&
    !shownIds.has(message.id) &&
    isAboutLaterPart(message);
  const rows = joinFolded(shown, isFolded, isBelowLine);

  function renderRow(
    { message, index }: IndexedMessage,
    previous: IndexedMessage | undefined,
    isJoined: boolean,
  ) {
    const deletion = state.deletions.get(message.id);
    return (
      <MessageRow
        key={message.id}
        message={message}
        isOwn={message.pending !== undefined || message.uid === uid}
        isContinued={
          !isBelowLine(message, index) &&
          !previous?.message.foldedIds &&
          isSameGroup(previous?.message, message, now)
        }
        isEdited={message.isEdited === true || edits.get(message.id) === message.uid}
        isEditing={message.id === state.editing?.id}
        deletedAt={deletion?.status === "waiting" ? deletion.until : undefined}
        // Joined messages are folded here too: a browser opens their line for a link to one of them.
        isShown={shownIds.has(message.id)}
        {...(!isJoined && { onShow: show })}
        locale={locale}
      />
    );
  }

  return (
    <ol className={styles.list}>
      {rows.map(([first, ...rest], rowIndex) => {
        const { message, index } = first;
        const [before, ...joinedBefore] = rows[rowIndex - 1] ?? [];
        return (
          <Fragment key={message.id}>
            {isNewDay(index) ? (
              <li className={styles.day} suppressHydrationWarning>
                {days[index]}
              </li>
            ) : null}
            {message.id === firstUnreadId ? <li className={styles.unread}>New</li> : null}
            {message.foldedIds ? <HiddenMessages ids={message.foldedIds} /> : null}
            {!message.foldedIds && rest.length === 0
              ? // Messages that are folded together show no name.
                renderRow(first, joinedBefore.length === 0 ? before : undefined, false)
              : null}
            {rest.length > 0 ? (
              <LaterMessages
                ids={[first, ...rest].map((joined) => joined.message.id)}
                onShow={show}
              >
                {[first, ...rest].map((joined, at) =>
                  renderRow(joined, at === 0 ? undefined : (rest[at - 2] ?? first), true),
                )}
              </LaterMessages>
            ) : null}
          </Fragment>
        );
      })}
    </ol>
  );
});

interface MessageRowProps {
  message: ListedMessage;
  isOwn: boolean;
  isContinued: boolean;
  isEdited: boolean;
  /** Whether its text is in the editor below the feed. */
  isEditing: boolean;
  /**
   * When the server will delete it, in milliseconds since the Unix epoch; `undefined` unless the user has just deleted
   * it.
   */
  deletedAt: number | undefined;
  /** Whether it is shown although it is about a later part. */
  isShown: boolean;
  /** Called when the user unfolds it. */
  onShow?: (ids: readonly string[]) => void;
  locale: Locale;
}

/**
 * A message with its menu; or, where the user has just deleted it, the button that restores it. Memoized: an arriving
 * message rerenders the list, which may have thousands.
 */
const MessageRow = memo(function MessageRow(props: MessageRowProps) {
  const { message, isOwn, isContinued, isEdited, isEditing, deletedAt, locale } = props;
  const { isShown, onShow } = props;
  const replyTo = isOwn ? null : message.topic?.replyTo;
  return (
    <MessageItem
      // A quote also depends on how far the user has read, a reply on what it answers, a mention on who is known.
      dependsOn={
        message.topic?.replyTo || message.text.includes("@") || listStories(message.text).length > 0
          ? undefined
          : props
      }
      isOwn={isOwn}
      isContinued={isContinued}
      photoURL={message.photoURL}
    >
      {deletedAt === undefined ? (
        <>
          <Bubble
            message={message}
            isOwn={isOwn}
            locale={locale}
            isContinued={isContinued}
            isEdited={isEdited}
            isEditing={isEditing}
            note={replyTo ? <RepliedToYou reply={message} to={replyTo} /> : null}
            {...message.pending}
          >
            <MessageText
              message={message}
              isOwn={isOwn}
              isShown={isShown}
              {...(onShow && { onShow: () => onShow([message.id]) })}
            />
          </Bubble>
          {message.pending ? null : <MessageMenu message={message} isOwn={isOwn} locale={locale} />}
        </>
      ) : (
        <DeletedMessage message={message} until={deletedAt} />
      )}
    </MessageItem>
  );
});

/** Says that a message replies to one of the user's. */
function RepliedToYou({ reply, to }: { reply: Message; to: string }) {
  const originals = useContext(OriginalsContext);
  const original = findOriginal(originals, reply, to);
  if (!original || original.uid !== originals.viewer.uid) return null;
  return (
    <span className={styles.toYou} data-note>
      replied to you
    </span>
  );
}

/** A message of the feed, or one on its way there. */
type ListedMessage = FeedMessage & Partial<PendingMessage>;

/** A message of the feed. */
interface FeedMessage extends Message {
  /** The ids of the hidden messages that are folded into this one, which is the first of them. */
  foldedIds?: string[];
}

/** Folds consecutive messages of hidden people into their first. */
export function foldHidden(
  messages: Message[],
  { hiddenUids, revealedIds }: Pick<MessageActionsState, "hiddenUids" | "revealedIds">,
): FeedMessage[] {
  if (hiddenUids.size === 0) return messages;
  const feed: FeedMessage[] = [];
  for (const message of messages) {
    const { id, uid } = message;
    if (!hiddenUids.has(uid) || revealedIds.has(id)) {
      feed.push(message);
      continue;
    }
    const lastMessage = feed.at(-1);
    if (lastMessage?.foldedIds) lastMessage.foldedIds.push(id);
    else feed.push({ ...message, foldedIds: [id] });
  }
  return feed;
}

/** Messages that are shown as one row, with their indexes in the list. */
type Row = [IndexedMessage, ...IndexedMessage[]];

interface IndexedMessage {
  message: ListedMessage;
  index: number;
}

/**
 * Joins consecutive folded messages.
 *
 * @param isBelowLine whether a line above a message separates it from the one before
 */
function joinFolded(
  messages: readonly ListedMessage[],
  isFolded: (message: ListedMessage) => boolean,
  isBelowLine: (message: ListedMessage, index: number) => boolean,
): Row[] {
  const rows: Row[] = [];
  let wasFolded = false;
  for (const [index, message] of messages.entries()) {
    const row = rows.at(-1);
    const isNowFolded = isFolded(message);
    const isJoined = isNowFolded && wasFolded && !isBelowLine(message, index);
    if (row && isJoined) row.push({ message, index });
    else rows.push([{ message, index }]);
    wasFolded = isNowFolded;
  }
  return rows;
}

/**
 * Returns the day of each message. Formats only one time per quarter of an hour, because in every time zone days begin at
 * the start of a quarter.
 */
function toDays(messages: readonly Message[], locale: Locale, now: number): string[] {
  const days = new Map<number, string>();
  return messages.map(({ createdAt }) => {
    const time = createdAt ?? now;
    const quarter = Math.floor(time / QUARTER_MS);
    const day = days.get(quarter) ?? formatDay(time, locale, now);
    days.set(quarter, day);
    return day;
  });
}

/**
 * Replaces consecutive messages of people that the user has hidden. Without scripts, they are shown again from the
 * profile only.
 */
function HiddenMessages({ ids }: { ids: readonly string[] }) {
  const { actions } = useMessageActionsValue();
  const isHydrated = useHydrated();
  return (
    <li className={styles.hidden}>
      <Icon path={HIDE} />
      {ids.length === 1 ? "1 hidden message" : `${ids.length} hidden messages`}
      {isHydrated ? (
        <Button variant="quiet" onPress={() => actions.reveal(ids)}>
          Show
        </Button>
      ) : null}
    </li>
  );
}

interface LaterMessagesProps {
  ids: readonly string[];
  onShow: (ids: readonly string[]) => void;
  /** The messages. */
  children: ReactNode;
}

/**
 * Folds consecutive messages about later parts than the user has read. With scripts, they are all shown at once, as rows of
 * their own: a message that arrives later is folded again. Without scripts, each is unfolded by itself.
 */
function LaterMessages({ ids, onShow, children }: LaterMessagesProps) {
  return (
    <li className={styles.later}>
      <article aria-label={`${ids.length} messages about later parts`}>
        <details onToggle={({ currentTarget }) => currentTarget.open && onShow(ids)}>
          <summary className={cards.summary}>
            <Icon path={UNSEEN} />
            <span>{ids.length} messages about later parts.</span>
            <span className={cards.show}>Show</span>
          </summary>
          <ol className={styles.list}>{children}</ol>
        </details>
      </article>
    </li>
  );
}

interface DeletedMessageProps {
  message: Message;
  /** When it is deleted on the server, in milliseconds since the Unix epoch. */
  until: number;
}

/** Replaces a message that the user has deleted, and shows how long they can still undo it. */
function DeletedMessage({ message, until }: DeletedMessageProps) {
  const { id, displayName } = message;
  const { actions } = useMessageActionsValue();
  const seconds = useSecondsLeft(until);
  const undo = useRef<HTMLButtonElement>(null);
  const deletedId = useId();

  useEffect(() => {
    // The menu keeps the focus inside until it has closed.
    const timer = setTimeout(() => undo.current?.focus());
    return () => clearTimeout(timer);
  }, []);

  return (
    <div className={bubble.bubble} data-own>
      <p className={bubble.meta}>
        <Bdi className={bubble.name}>{displayName}</Bdi> <span>{seconds} s left</span>
      </p>
      <p className={styles.text}>
        <span id={deletedId}>
          Deleted.<VisuallyHidden> {describeText(message).join(", ")}</VisuallyHidden>
        </span>{" "}
        <button
          ref={undo}
          type="button"
          className={styles.undo}
          // Screen readers say what was deleted together with the button, which gets the focus.
          aria-describedby={deletedId}
          onClick={() => actions.undo(id)}
        >
          Undo
        </button>
      </p>
    </div>
  );
}
