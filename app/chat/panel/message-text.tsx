import { useContext } from "react";

import { splitMentions, NamesContext } from "#app/chat/mentions/mentions.ts";
import type { Message } from "#app/chat/message.ts";
import { splitMessage, readQuote, readSubject, splitQuote } from "#app/chat/quotes/quote.ts";
import { listStories } from "#app/chat/quotes/quoted-story.ts";
import { useQuotedStoriesValue } from "#app/chat/quotes/use-quoted-stories.ts";
import { TrailingContext } from "./bubble.tsx";
import styles from "./message-text.module.css";
import { FoldedMessage, QuoteCard, AboutStory, ReplyCard } from "./message-cards.tsx";

/**
 * An address ends before punctuation and symbols outside of ASCII, and before invisible characters other than joiners,
 * because these can make it look like another one. It also ends before a letter of another script that follows one of
 * ASCII: in some languages no space is between an address and the next word. For the same reason an address may follow a
 * letter of another script.
 */
const ADDRESS =
  /(?<![\p{Script=Latin}\d_])https?:\/\/(?:[!#-;=?-~]|[\p{Script=Latin}\p{M}\u200C\u200D]|(?<![a-z\d])[\p{L}\p{N}])+/giu;

const TRAILING_PUNCTUATION = new Set("?!.,:;*_~'");

const BRACKETS = { ")": "(", "]": "[", "}": "{" };

/** One emoji: a flag, a keycap, or a picture with its modifiers and joined pictures. */
const EMOJI =
  String.raw`(?:\p{Regional_Indicator}{2}|[\d#*]\uFE0F?\u20E3|` +
  String.raw`(?!\p{Regional_Indicator}|\p{Emoji_Modifier})` +
  String.raw`(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}(?=\uFE0F|\p{Emoji_Modifier}))` +
  String.raw`\uFE0F?\p{Emoji_Modifier}?[\u{E0020}-\u{E007F}]*` +
  String.raw`(?:\u200D\p{Extended_Pictographic}\uFE0F?\p{Emoji_Modifier}?)*)`;

const ONE_TO_THREE_EMOJI = new RegExp(String.raw`^(?:\s*${EMOJI}){1,3}\s*$`, "u");

export interface MessageTextProps {
  message: Pick<Message, "id" | "createdAt" | "text" | "topic">;
  isOwn: boolean;
  /** Whether it is shown although it is about a later part. @default false */
  isShown?: boolean;
  /** Called when the user unfolds it. */
  onShow?: () => void;
}

/**
 * Shows the text as typed, never as markup; addresses are links, and mentions are marked. A quote of a story is a card that
 * links to the quoted paragraph, and the message that a reply answers is a card that links to it. What others wrote about
 * a later part than the user has read is folded. One to three emoji alone are larger.
 */
export function MessageText({ message, isOwn, isShown = false, onShow }: MessageTextProps) {
  const { isAboutLaterPart } = useQuotedStoriesValue();
  const trailing = useContext(TrailingContext);
  const { text, topic } = message;
  const quote = readQuote(text);
  const [lines, words] = splitMessage(message);
  const comment = quote ? words.trim() : words;
  const replyTo = splitQuote(text)[0] === lines ? null : topic?.replyTo;
  const body = (
    <>
      {replyTo ? (
        <ReplyCard
          reply={message}
          to={replyTo}
          lines={lines}
          isDeleted={topic?.isOriginalDeleted}
        />
      ) : null}
      {comment ? (
        <p
          className={styles.text}
          dir="auto"
          data-emoji={isEmojiOnly(text) || undefined}
          data-meta={trailing}
          // Server and browser may format a time differently.
          suppressHydrationWarning
        >
          <LinkedText text={comment} />
        </p>
      ) : null}
    </>
  );
  if (!isOwn && isAboutLaterPart(message)) {
    return (
      <FoldedMessage
        quote={quote}
        about={listStories(text)[0]}
        isOpen={isShown}
        {...(onShow && { onOpen: onShow })}
      >
        {body}
      </FoldedMessage>
    );
  }
  const subject = readSubject(text);
  return (
    <>
      {quote ? <QuoteCard quote={quote} /> : null}
      {subject?.paragraph === null ? <AboutStory id={subject.story} /> : null}
      {body}
    </>
  );
}

function LinkedText({ text }: { text: string }) {
  return linkify(text).map((part) =>
    part.href === undefined ? (
      <MentionText key={part.start} text={part.text} />
    ) : (
      <a
        key={part.start}
        className={styles.link}
        dir="ltr"
        href={part.href}
        rel="nofollow ugc noopener"
      >
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
    const lastCharacter = match.charAt(end - 1);
    const unmatched = surplus.get(lastCharacter) ?? 0;
    if (unmatched > 0) surplus.set(lastCharacter, unmatched - 1);
    else if (!TRAILING_PUNCTUATION.has(lastCharacter)) break;
  }
  return match.slice(0, end);
}

/**
 * Returns the URL of a link; `null` for addresses with a user name or password, which can hide the site that they lead
 * to.
 */
function toHref(address: string): string | null {
  const url = URL.canParse(address) ? new URL(address) : null;
  return url && url.username === "" && url.password === "" ? url.href : null;
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}

/** A text in which mentions are marked. */
function MentionText({ text }: { text: string }) {
  return text.includes("@") ? <MarkedText text={text} /> : text;
}

function MarkedText({ text }: { text: string }) {
  return splitMentions(text, useContext(NamesContext)).map((part) =>
    part.mention ? (
      <bdi
        key={part.start}
        className={styles.mention}
        data-own={part.mention === "own" || undefined}
      >
        {part.text}
      </bdi>
    ) : (
      part.text
    ),
  );
}
