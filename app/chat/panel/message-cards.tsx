import {
  createContext,
  useContext,
  type AnchorHTMLAttributes,
  type MouseEvent,
  type ReactNode,
} from "react";
import { Link, useLocation } from "@remix-run/react";

import { toMessagePagePath } from "#app/chat/message-intents.ts";
import { ANONYMOUS, isBefore, type Message } from "#app/chat/message.ts";
import {
  formatQuote,
  readAnswered,
  readQuote,
  splitMessage,
  type Quote,
} from "#app/chat/quotes/quote.ts";
import { findQuotedStory, type QuotedStory } from "#app/chat/quotes/quoted-story.ts";
import { useQuotedStoriesValue } from "#app/chat/quotes/use-quoted-stories.ts";
import { toPassagePath } from "#app/chat/room-address.ts";
import type { Viewer } from "#app/chat/use-first-unread.ts";
import { isVisible } from "#app/http/text.ts";
import { toStoryPath } from "#app/stories/book.ts";
import { Cover } from "#app/stories/cover/cover.tsx";
import { Bdi, removeBidiControls } from "#app/ui/bdi.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { truncateWords } from "#app/ui/truncate.ts";
import { toElementId } from "./bubble.tsx";
import { UNSEEN } from "./icon-paths.ts";
import styles from "./message-cards.module.css";

/** A link to the story that a message is about. Not shown among the messages about the story. */
export function AboutStory({ id }: { id: string }) {
  const { subject } = useQuotedStoriesValue();
  const story = useQuotedStory({ path: toStoryPath(id) });
  if (!story || subject) return null;
  return (
    <CardLink path={toStoryPath(id)}>
      <Bdi className={styles.passage}>{story.title}</Bdi>
    </CardLink>
  );
}

/**
 * A quote from a story: a card that links to the passage. Not shown below the passage itself, unless it quotes other words
 * of it.
 */
export function QuoteCard({ quote: { words, path } }: { quote: Pick<Quote, "words" | "path"> }) {
  const story = useQuotedStory({ path });
  const { subject } = useQuotedStoriesValue();
  if (subject && formatQuote({ words, path }) === subject.quote) return null;
  return (
    <blockquote className={styles.card}>
      <CardLink path={toPassagePath(path)}>
        {story && !subject ? <StoryTitle {...story} /> : null}
        <span className={styles.words} dir="auto">
          “{words}”
        </span>
      </CardLink>
    </blockquote>
  );
}

export interface FoldedMessageProps {
  /** The quote that the message begins with. */
  quote: Pick<Quote, "words" | "path"> | null;
  /** The id of the story that it is about. */
  about: string | undefined;
  /** Whether it is unfolded, until the user folds it. */
  isOpen: boolean;
  onOpen?: () => void;
  /** The rest of the message. */
  children: ReactNode;
}

/**
 * A message about a later part of a story than the user has read. It unfolds without scripts too. The link to the passage is
 * folded.
 */
export function FoldedMessage({ quote, about, isOpen, onOpen, children }: FoldedMessageProps) {
  const { subject } = useQuotedStoriesValue();
  const story = useQuotedStory(about === undefined ? null : { path: toStoryPath(about) });
  return (
    <div className={styles.card}>
      {story && !subject ? <StoryLink {...story} /> : null}
      <details
        className={styles.folded}
        open={isOpen || undefined}
        onToggle={({ currentTarget }) => currentTarget.open && onOpen?.()}
      >
        <summary className={styles.summary}>
          <Icon path={UNSEEN} />
          <span>Wrote about a later part.</span> <span className={styles.show}>Show</span>
        </summary>
        <div className={styles.unfolded}>
          {quote ? (
            <blockquote className={styles.words} dir="auto">
              “{quote.words}”
            </blockquote>
          ) : null}
          {children}
          {quote ? (
            <CardLink path={toPassagePath(quote.path)}>
              <span className={styles.passage}>Go to the passage</span>
            </CardLink>
          ) : null}
        </div>
      </details>
    </div>
  );
}

interface IdentifiedStory extends QuotedStory {
  id: string;
}

/** Returns the story of a quote, if it is known. */
function useQuotedStory(quote: Pick<Quote, "path"> | null): IdentifiedStory | null {
  const { stories } = useQuotedStoriesValue();
  const [path = ""] = quote?.path.split("#") ?? [];
  const id = path.slice("/read/".length);
  const story = findQuotedStory(stories, id);
  return story ? { ...story, id } : null;
}

/** Links to where the user is in a story, except on the story's own page. */
function StoryLink(story: IdentifiedStory) {
  const { pathname } = useLocation();
  const path = toStoryPath(story.id);
  const title = <StoryTitle {...story} />;
  return pathname === path ? title : <CardLink path={path}>{title}</CardLink>;
}

function StoryTitle({ id, title, cover }: IdentifiedStory) {
  return (
    <span className={styles.story}>
      <span className={styles.cover}>
        <Cover id={id} title={title} src={cover} size="small" />
      </span>
      <Bdi className={styles.title}>{title}</Bdi>
    </span>
  );
}

/** Whether links are plain: outside of the app there is no router. */
export const PlainLinksContext = createContext(false);

interface CardLinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  path: string;
}

function CardLink({ path, className = "", children, ...props }: CardLinkProps) {
  const classes = `${styles.link} ${className}`;
  if (useContext(PlainLinksContext)) {
    return (
      <a {...props} className={classes} href={path}>
        {children}
      </a>
    );
  }
  return (
    <Link {...props} className={classes} to={path}>
      {children}
    </Link>
  );
}

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
