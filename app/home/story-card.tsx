import { Link } from "@remix-run/react";
import type { ReactNode } from "react";

import { MAX_SHOWN_DESCRIPTION, toTagPath, toWriterPath } from "#app/stories/book.ts";
import { Cover } from "#app/stories/cover/cover.tsx";
import { SaveButton } from "#app/stories/library/save-button.tsx";
import { toTypePath } from "#app/stories/search.ts";
import type { StoryEntry } from "#app/stories/story.ts";
import { truncateWords } from "#app/ui/truncate.ts";
import { VisuallyHidden } from "#app/ui/visually-hidden.tsx";
import styles from "./story-card.module.css";

const NAMES = { book: "Book", quest: "Quest", story: "Story" };

const WORDS = /[\p{L}\p{N}]+/gu;

export interface StoryCardProps {
  /** Determines the drawn cover. */
  id: string;
  title: ReactNode;
  /** The language of the title; missing if it is not known. */
  language?: string | undefined;
  /** The title as text, if `title` is not a string. */
  coverTitle?: string;
  /** The URL of an image; empty for a drawn cover. */
  cover: string;
  to: string;
  /** Whether `to` redirects to /home, so that the page should not scroll. @default false */
  redirectsHome?: boolean;
  /** Above the title. */
  tag?: ReactNode;
  /** Whether the card is low, with a small cover. @default false */
  isCompact?: boolean;
  /** Below the title. */
  children: ReactNode;
}

/** An item in a list of stories. The title's link covers the card below other links and buttons. */
export function StoryCard({
  id,
  title,
  language,
  coverTitle = typeof title === "string" ? title : "",
  cover,
  to,
  redirectsHome = false,
  tag,
  isCompact = false,
  children,
}: StoryCardProps) {
  return (
    <li className={styles.card} data-compact={isCompact || undefined}>
      <div className={styles.cover}>
        <Cover id={id} title={coverTitle} src={cover} size="small" />
      </div>
      <div className={styles.words}>
        {tag}
        <h3 className={styles.title} lang={language} dir="auto">
          <Link className={styles.link} to={to} preventScrollReset={redirectsHome}>
            {title}
          </Link>
        </h3>
        {children}
      </div>
    </li>
  );
}

export interface StoryItemProps {
  story: StoryEntry;
  /** What the user has searched for. Its words are marked. @default "" */
  query?: string;
  isSaved: boolean;
  /** Whether only its title, author, length and some of its tags are shown. @default false */
  isBrief?: boolean;
}

/** A story in a list. Title, writer and tags are separate links. */
export function StoryItem({ story, query = "", isSaved, isBrief = false }: StoryItemProps) {
  const { id, title, description, type, cover, readLink, author, writer, tags, language } = story;
  const isOpen = type !== "quest";
  const kind = (
    <p className={styles.kind}>
      <Link className={styles.badge} to={toTypePath(type)} data-type={type}>
        <VisuallyHidden>Kind: </VisuallyHidden>
        {NAMES[type]}
      </Link>
      {isOpen ? null : <span className={styles.closed}>Not open yet</span>}
      {story.minutes === null ? null : <span>{story.minutes} min</span>}
      {story.isOngoing ? <span>Still being written</span> : null}
    </p>
  );
  return (
    <StoryCard
      id={id}
      title={query ? <HighlightedText text={title} query={query} /> : title}
      language={language}
      coverTitle={title}
      cover={cover}
      to={readLink}
      redirectsHome={!isOpen}
      tag={isBrief ? null : kind}
    >
      {author !== null && writer !== null ? (
        <p className={styles.byline}>
          <Link className={styles.author} dir="auto" to={toWriterPath(writer)}>
            <HighlightedText text={author} query={query} />
          </Link>
          {isBrief && story.minutes !== null ? ` · ${story.minutes} min` : null}
        </p>
      ) : null}
      {description && !isBrief ? (
        <p className={styles.description} lang={language} dir="auto">
          <HighlightedText text={truncateWords(description, MAX_SHOWN_DESCRIPTION)} query={query} />
        </p>
      ) : null}
      {tags.length > 0 ? (
        <ul className={styles.tags} aria-label="Tags">
          {tags.slice(0, isBrief ? 2 : 4).map((tag) => (
            <li key={tag}>
              <Link className={styles.tag} dir="auto" to={toTagPath(tag)}>
                {tag}
              </Link>
            </li>
          ))}
        </ul>
      ) : null}
      {isOpen && author !== null ? <SaveButton id={id} title={title} isSaved={isSaved} /> : null}
    </StoryCard>
  );
}

/** Shows a text, and highlights the beginnings of words that the user has searched for. */
function HighlightedText({ text, query }: { text: string; query: string }) {
  const searchedWords = query.toLowerCase().match(WORDS);
  if (!searchedWords) return text;
  return text.split(/([\p{L}\p{N}]+)/u).map((part, index) => {
    const match = searchedWords.find((word) => part.toLowerCase().startsWith(word));
    if (match === undefined) return part;
    return (
      <span key={index}>
        <mark>{part.slice(0, match.length)}</mark>
        {part.slice(match.length)}
      </span>
    );
  });
}
