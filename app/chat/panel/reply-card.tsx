import { createContext, useContext, type MouseEvent } from "react";

import { toMessagePagePath } from "#app/chat/message-intents.ts";
import { ANONYMOUS, isBefore, type Message } from "#app/chat/message.ts";
import { splitMessage } from "#app/chat/quotes/reply.ts";
import { readAnswered, readQuote } from "#app/chat/quotes/quote.ts";
import { useQuotedStoriesValue } from "#app/chat/quotes/use-quoted-stories.ts";
import type { Viewer } from "#app/chat/use-first-unread.ts";
import { isVisible } from "#app/http/text.ts";
import { Bdi, removeBidiControls } from "#app/ui/bdi.tsx";
import { truncateWords } from "#app/ui/truncate.ts";
import { toElementId } from "./bubble.tsx";
import { CardLink } from "./quote-card.tsx";
import styles from "./quote-card.module.css";

/** How much of a message a card shows, in UTF-16 units. */
const MAX_WORDS_LENGTH = 120;

const RING_MS = 2000;

type SentMessage = Pick<Message, "id" | "createdAt">;

export interface Originals {
  /** The messages of the feed, by id. */
  messages: ReadonlyMap<string, Message>;
  viewer: Viewer;
  /** Whether a message that is not among these is known to have been deleted. By default it may just be older. */
  isDeleted?: (id: string) => boolean;
}

/** Where replies find the messages that they answer. By default there are none, and replies show their own lines. */
export const OriginalsContext = createContext<Originals>({
  messages: new Map(),
  viewer: { uid: undefined, hiddenUids: new Set() },
});

/**
 * Returns the message that a reply answers, if it is among the originals. A later message with its id is another one: an id
 * can be used again after its message was deleted.
 */
export function findOriginal(
  { messages }: Originals,
  reply: SentMessage,
  replyTo: string,
): Message | undefined {
  const found = messages.get(replyTo);
  return found && isBefore(found, reply) ? found : undefined;
}

export interface ReplyCardProps {
  reply: SentMessage;
  /** The id of the message that is answered. */
  to: string;
  /** The lines of the reply that repeat it. */
  lines: string;
  /** Whether the page's loader has not found it. @default false */
  isDeleted?: boolean | undefined;
}

/**
 * The message that a reply answers: a card that leads to it. In the feed, its own words are shown instead of those that the
 * reply repeats, which its sender may have made up. To users who hide people, a card without an original shows no words,
 * because these may be a hidden person's.
 */
export function ReplyCard({ reply, to, lines, isDeleted = false }: ReplyCardProps) {
  const originals = useContext(OriginalsContext);
  const { messages, viewer } = originals;
  const { isAboutLaterPart } = useQuotedStoriesValue();
  const original = findOriginal(originals, reply, to);
  if (!original && (isDeleted || messages.has(to) || originals.isDeleted?.(to))) {
    return (
      <div className={`${styles.card} ${styles.reply}`} data-deleted>
        The original was deleted.
      </div>
    );
  }
  const isHidden = original ? viewer.hiddenUids.has(original.uid) : viewer.hiddenUids.size > 0;
  const isLater =
    original !== undefined && original.uid !== viewer.uid && isAboutLaterPart(original);
  const { name, words } = original ? readOriginal(original) : readAnswered(lines);
  const shownName = isVisible(name) ? name : ANONYMOUS;
  let shown = truncateWords(words, MAX_WORDS_LENGTH);
  if (isLater) shown = "A message about a later part.";
  if (isHidden) shown = original ? "A message from a person you hid." : "An earlier message.";
  const said = shown ? `${shownName}: ${shown}` : shownName;
  const label = isHidden ? shown : `Reply to ${said}${/[.!?…]$/.test(said) ? "" : "."}`;

  return (
    <CardLink
      path={toMessagePagePath(to)}
      className={`${styles.card} ${styles.reply}`}
      aria-label={removeBidiControls(`${label} Go to that message`)}
      onClick={(event) => {
        if (original && !isModified(event) && showMessage(to)) event.preventDefault();
      }}
    >
      {isHidden ? null : <Bdi className={styles.name}>{shownName}</Bdi>}
      <span dir="auto">{removeBidiControls(shown)}</span>
    </CardLink>
  );
}

function readOriginal(message: Message): { name: string; words: string } {
  const words = splitMessage(message)[1].trim() || (readQuote(message.text)?.words ?? "");
  return { name: message.displayName, words: words.split("\n", 1)[0] ?? "" };
}

function isModified({ ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  return ctrlKey || metaKey || shiftKey || altKey;
}

/**
 * Scrolls to a message, focuses it and outlines it for two seconds. Returns whether it is in the feed.
 *
 * @param mayUnfold whether to unfold messages about later parts that are folded together with it; otherwise leads to their
 *   fold
 */
export function showMessage(
  id: string,
  behavior: ScrollBehavior = "smooth",
  mayUnfold = true,
): boolean {
  const found = document.getElementById(toElementId(id));
  if (!found) return false;
  const fold = found.parentElement?.closest("details:not([open])");
  if (mayUnfold) fold?.setAttribute("open", "");
  const message = (mayUnfold ? null : fold?.querySelector("summary")) ?? found;
  const isMotionReduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
  message.scrollIntoView({ behavior: isMotionReduced ? "instant" : behavior, block: "center" });
  // The tab stop of the feed moves here.
  if (message === found) message.tabIndex = 0;
  message.focus({ preventScroll: true });
  const outline = "var(--ring) solid var(--focus)";
  message.animate({ outline: [outline, outline] }, RING_MS);
  return true;
}
