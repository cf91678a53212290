import { Link, useLocation } from "@remix-run/react";
import { useContext, createContext, type AnchorHTMLAttributes, type ReactNode } from "react";

import { formatQuote, type Quote } from "#app/chat/quotes/quote.ts";
import { findQuotedStory, type QuotedStory } from "#app/chat/quotes/quoted-story.ts";
import { useQuotedStoriesValue } from "#app/chat/quotes/use-quoted-stories.ts";
import { toPassagePath } from "#app/chat/room-address.ts";
import { toStoryPath } from "#app/stories/book.ts";
import { Cover } from "#app/stories/cover/cover.tsx";
import { Bdi } from "#app/ui/bdi.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { UNSEEN } from "./icon-paths.ts";
import styles from "./quote-card.module.css";

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

export function CardLink({ path, className = "", children, ...props }: CardLinkProps) {
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
