import type { ReactNode } from "react";

import type { Message } from "#app/chat/message.ts";
import { readQuote } from "#app/chat/quotes/quote.ts";
import { formatFullDateTime, formatTime } from "#app/site/locale/format-time.ts";
import type { Locale } from "#app/site/locale/locale.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { CachedHtml } from "#app/ui/cached-html.tsx";
import styles from "./bubble.module.css";
import { QuoteCard } from "./quote-card.tsx";

/** Messages of one sender within this time stand close together. */
const GROUP_MS = 5 * 60_000;

/** Direction marks end an address: they can make it look like another one. */
const ADDRESS = /(?<![\p{L}\p{N}_])https?:\/\/(?:(?!\p{Bidi_Control})[^\s<>"“”])+/giu;

const TRAILING_PUNCTUATION = new Set("?!.,:;*_~'’»…");

const BRACKETS = { ")": "(", "]": "[", "}": "{" };

/** One emoji: a flag, a keycap, or a picture with its modifiers and joined pictures. */
const EMOJI =
  String.raw`(?:\p{Regional_Indicator}{2}|[\d#*]\uFE0F?\u20E3|` +
  String.raw`(?!\p{Regional_Indicator}|\p{Emoji_Modifier})` +
  String.raw`(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}(?=\uFE0F|\p{Emoji_Modifier}))` +
  String.raw`\uFE0F?\p{Emoji_Modifier}?[\u{E0020}-\u{E007F}]*` +
  String.raw`(?:\u200D\p{Extended_Pictographic}\uFE0F?\p{Emoji_Modifier}?)*)`;

const ONE_TO_THREE_EMOJI = new RegExp(String.raw`^(?:\s*${EMOJI}){1,3}\s*$`, "u");

export interface MessageItemProps {
  /** Everything that the HTML of the children and the photo depends on; see `CachedHtml`. */
  dependsOn?: object | undefined;
  isOwn: boolean;
  /** Whether it stands close to the message before it, which has the same sender. */
  isContinued: boolean;
  photoURL: string | null;
  /** The bubble, and what is beside it. */
  children: ReactNode;
}

/**
 * One message of a list: a row that starts at the left, below the sender's photo in the first of a group; or at the right
 * for the user's own messages.
 */
export function MessageItem({
  dependsOn,
  isOwn,
  isContinued,
  photoURL,
  children,
}: MessageItemProps) {
  return (
    <CachedHtml
      as="li"
      dependsOn={dependsOn}
      className={styles.item}
      data-own={isOwn || undefined}
      data-continued={isContinued || undefined}
    >
      {isOwn ? null : (
        <div className={styles.photo}>{isContinued ? null : <Avatar src={photoURL} />}</div>
      )}
      {children}
    </CachedHtml>
  );
}

type Grouped = Pick<Message, "uid" | "createdAt">;

/**
 * Whether a message stands close to the one before it: both have the same sender, within five minutes.
 *
 * @param now the time of messages that have not been stored, in milliseconds since the Unix epoch
 */
export function isSameGroup(previous: Grouped | undefined, message: Grouped, now: number): boolean {
  if (previous?.uid !== message.uid) return false;
  return Math.abs((message.createdAt ?? now) - (previous.createdAt ?? now)) <= GROUP_MS;
}

export interface BubbleProps {
  message: Message;
  isOwn: boolean;
  locale: Locale;
  /** Shown in place of the time of a message that has not been stored. */
  status?: string | undefined;
  isEdited?: boolean;
  /** Whether the server has rejected it. @default false */
  isFailed?: boolean;
  /** What the user can do about a message that has not been stored. */
  children?: ReactNode;
}

/** A message with the sender's name and the time. */
export function Bubble({
  message,
  isOwn,
  locale,
  status,
  isEdited = false,
  isFailed = false,
  children,
}: BubbleProps) {
  const { displayName, createdAt, text } = message;
  const id = `message-${message.id}`;
  return (
    <article
      className={styles.bubble}
      data-own={isOwn || undefined}
      data-failed={isFailed || undefined}
      aria-labelledby={`${id}-sender`}
      aria-describedby={`${id}-text`}
    >
      <p id={`${id}-sender`} className={styles.meta}>
        <span className={styles.name}>{displayName}</span>{" "}
        {createdAt === null ? null : (
          <time
            dateTime={new Date(createdAt).toISOString()}
            title={formatFullDateTime(createdAt, locale)}
            // Server and browser may format a time differently.
            suppressHydrationWarning
          >
            {formatTime(createdAt, locale)}
          </time>
        )}
        {isEdited ? <span className={styles.edited}> edited</span> : null}
        {status ? <span>{status}</span> : null}
      </p>
      <div id={`${id}-text`}>
        <MessageText text={text} isOwn={isOwn} />
      </div>
      {children}
    </article>
  );
}

/**
 * Shows the text as typed, never as markup; addresses are links. A quote of a story is a card that links to the quoted
 * paragraph. One to three emoji alone are larger.
 */
function MessageText({ text, isOwn }: { text: string; isOwn: boolean }) {
  const quote = readQuote(text);
  if (!quote) {
    return (
      <p className={styles.text} data-emoji={isEmojiOnly(text) || undefined}>
        <LinkedText text={text} />
      </p>
    );
  }
  return (
    <>
      <QuoteCard quote={quote} isOwn={isOwn} />
      {quote.comment ? (
        <p className={styles.text}>
          <LinkedText text={quote.comment} />
        </p>
      ) : null}
    </>
  );
}

function LinkedText({ text }: { text: string }) {
  return linkify(text).map((part) =>
    part.href === undefined ? (
      part.text
    ) : (
      <a key={part.start} className={styles.link} href={part.href} rel="nofollow ugc noopener">
        {part.text}
      </a>
    ),
  );
}

interface TextPart {
  text: string;
  /** Its position in the whole text, in UTF-16 code units. */
  start: number;
  /** The address, if the part is a link. */
  href?: string;
}

/** Splits a text at its http and https addresses. The parts together are the text, unchanged. */
export function linkify(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { 0: match, index } of text.matchAll(ADDRESS)) {
    const address = trimAddress(match);
    const href = toHref(address);
    if (href === null) continue;
    if (index > end) parts.push({ text: text.slice(end, index), start: end });
    parts.push({ text: address, start: index, href });
    end = index + address.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), start: end });
  return parts;
}

/** Whether a text is one to three emoji and nothing else. */
export function isEmojiOnly(text: string): boolean {
  return ONE_TO_THREE_EMOJI.test(text);
}

/**
 * Removes the punctuation that belongs to the sentence around an address.
 *
 * @see https://github.github.com/gfm/#extended-autolink-path-validation
 */
function trimAddress(match: string): string {
  const surplus = new Map(
    Object.entries(BRACKETS).map(([closing, opening]) => [
      closing,
      count(match, closing) - count(match, opening),
    ]),
  );
  let end = match.length;
  for (; end > 0; end -= 1) {
    const last = match.charAt(end - 1);
    const unmatched = surplus.get(last) ?? 0;
    if (unmatched > 0) surplus.set(last, unmatched - 1);
    else if (!TRAILING_PUNCTUATION.has(last)) break;
  }
  return match.slice(0, end);
}

/** Returns `null` for addresses with a user name or password, which can hide the site that they lead to. */
function toHref(address: string): string | null {
  const url = URL.canParse(address) ? new URL(address) : null;
  return url && url.username === "" && url.password === "" ? url.href : null;
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}
