import { toStoryPath } from "#app/stories/book.ts";
import type { InProgressStory } from "./in-progress.ts";
import { ProgressTrack } from "#app/ui/progress-track.tsx";
import styles from "./continue-strip.module.css";
import { StoryCard } from "./story-card.tsx";

export interface ContinueStripProps {
  inProgress: InProgressStory[];
  /** Whether the positions in the user's account could not be read, so that some stories may be missing. */
  isPartial: boolean;
}

/** The stories that the user is reading, newest first. Renders nothing without any. */
export function ContinueStrip({ inProgress, isPartial }: ContinueStripProps) {
  if (inProgress.length === 0 && !isPartial) return null;
  return (
    <section className={styles.strip} aria-labelledby="continue">
      <h2 id="continue">Continue reading</h2>
      {isPartial ? (
        <p>We can't load your reading positions right now. Try again in a moment.</p>
      ) : null}
      <ul className={styles.list}>
        {inProgress.map(({ story, title, cover, percent, minutesLeft }) => (
          <StoryCard
            key={story}
            id={story}
            title={title}
            cover={cover}
            to={toStoryPath(story)}
            isCompact
          >
            <p className={styles.progress}>
              {percent}% · {minutesLeft} min left
            </p>
            <ProgressTrack percent={percent} />
          </StoryCard>
        ))}
      </ul>
    </section>
  );
}
