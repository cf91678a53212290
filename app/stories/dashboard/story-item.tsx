import type { SearchResult } from "#app/stories/sample-item.ts";
import { StoryCard } from "./story-card.tsx";
import styles from "./story-item.module.css";

/** A search result as a card. */
export function StoryItem({ title, description, type, imgPath, readLink, author }: SearchResult) {
  const isOpen = type !== "quest";
  const tag = (
    <p className={styles.tags}>
      <span className={styles.tag} data-type={type}>
        {author === undefined ? NAMES[type] : "Story"}
      </span>
      {isOpen ? null : "Not open yet"}
    </p>
  );
  return (
    <StoryCard
      id={idOf(readLink)}
      title={title}
      cover={imgPath}
      to={readLink}
      tag={tag}
      leadsBack={!isOpen}
    >
      {author === undefined ? null : <p className={styles.author}>{author}</p>}
      {description ? <p className={styles.description}>{description}</p> : null}
    </StoryCard>
  );
}

const NAMES = { book: "Book", quest: "Quest" };

/** Returns the last segment of a path, so that a book has the same drawn cover everywhere. */
function idOf(readLink: string): string {
  return decodeURIComponent(readLink.slice(readLink.lastIndexOf("/") + 1));
}
