import { Link } from "@remix-run/react";
import { useContext, type ReactNode } from "react";

import type { Quote } from "#app/chat/quotes/quote.ts";
import { findQuotedStory } from "#app/chat/quotes/quoted-story.ts";
import { useQuotedStoriesValue } from "#app/chat/quotes/use-quoted-stories.ts";
import { Cover } from "#app/stories/dashboard/cover.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { UNSEEN } from "./icon-paths.ts";
import { PlainLinksContext } from "./plain-links.ts";
import styles from "./quote-card.module.css";

export interface QuoteCardProps {
  quote: Pick<Quote, "words" | "path">;
  /** Whether the user has sent it. Their own quotes are never folded. */
  isOwn: boolean;
}

/**
 * A quote from a story: a card that links to the passage. Words from a later part than the user has read are folded,
 * and unfold without scripts too.
 */
export function QuoteCard({ quote: { words, path }, isOwn }: QuoteCardProps) {
  const { stories, isUnreadPassage } = useQuotedStoriesValue();
  const [id, paragraph] = splitPath(path);
  const story = findQuotedStory(stories, id);
  const isFolded = !isOwn && isUnreadPassage(id, paragraph);
  const text = <span className={styles.words}>“{words}”</span>;
  return (
    <blockquote className={styles.card}>
      <CardLink path={path}>
        {story ? (
          <span className={styles.story}>
            <span className={styles.cover}>
              <Cover id={id} title={story.title} src={story.cover} size="small" />
            </span>
            <span className={styles.title}>{story.title}</span>
          </span>
        ) : null}
        {isFolded ? null : text}
        {isFolded && !story ? <span className={styles.title}>Go to the passage</span> : null}
      </CardLink>
      {isFolded ? (
        <details className={styles.folded}>
          <summary>
            <Icon path={UNSEEN} />
            <span>From later in the story.</span> <span className={styles.show}>Show</span>
          </summary>
          <p>{text}</p>
        </details>
      ) : null}
    </blockquote>
  );
}

function CardLink({ path, children }: { path: string; children: ReactNode }) {
  if (useContext(PlainLinksContext)) {
    return (
      <a className={styles.link} href={path}>
        {children}
      </a>
    );
  }
  return (
    <Link className={styles.link} to={path}>
      {children}
    </Link>
  );
}

/** Returns the ids of the story and the paragraph. */
function splitPath(path: string): [story: string, paragraph: string] {
  const [start = "", paragraph = ""] = path.split("#");
  return [start.slice("/read/".length), paragraph];
}
