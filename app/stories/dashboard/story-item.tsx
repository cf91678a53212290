import type { Finding } from "#app/stories/sample-item.ts";
import { StoryCard } from "./story-card.tsx";
import styles from "./story-item.module.css";

/** One of what the dashboard lists. */
export function StoryItem({ title, description, type, imgPath, readLink, author }: Finding) {
  const tag = (
    <p className={styles.tag} data-type={type}>
      {author === undefined ? NAMES[type] : "Story"}
    </p>
  );
  return (
    <StoryCard id={idOf(readLink)} title={title} cover={imgPath} to={readLink} tag={tag}>
      {author === undefined ? null : <p className={styles.author}>{author}</p>}
      {description ? <p className={styles.description}>{description}</p> : null}
    </StoryCard>
  );
}

const NAMES = { book: "Book", quest: "Quest" };

/** The last part of a link, so that a book is drawn alike wherever it stands. */
function idOf(readLink: string): string {
  return decodeURIComponent(readLink.slice(readLink.lastIndexOf("/") + 1));
}
