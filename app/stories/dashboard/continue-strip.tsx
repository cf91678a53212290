import { readPath } from "#app/stories/book.ts";
import type { InProgressStory } from "#app/stories/in-progress.ts";
import styles from "./continue-strip.module.css";
import { StoryCard } from "./story-card.tsx";

export interface ContinueStripProps {
  begun: InProgressStory[];
  /** There may be more, in an account that cannot be read right now. */
  isPartial: boolean;
}

/** What the reader is in the middle of, newest first; absent when there is nothing. */
export function ContinueStrip({ begun, isPartial }: ContinueStripProps) {
  if (begun.length === 0 && !isPartial) return null;
  return (
    <section className={styles.strip} aria-labelledby="continue">
      <h2 id="continue">Continue reading</h2>
      {isPartial ? (
        <p>We can't load your reading positions right now. Try again in a moment.</p>
      ) : null}
      <ul className={styles.list}>
        {begun.map(({ story, title, cover, percent, minutesLeft }) => (
          <StoryCard key={story} id={story} title={title} cover={cover} to={readPath(story)} isLow>
            <p className={styles.left}>
              {percent}% · {minutesLeft} min left
            </p>
            <div className={styles.track} aria-hidden="true">
              <div className={styles.bar} style={{ inlineSize: `${percent}%` }} />
            </div>
          </StoryCard>
        ))}
      </ul>
    </section>
  );
}
