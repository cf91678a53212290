import type { SavedStory } from "#app/stories/library/library.ts";
import { SaveButton } from "#app/stories/library/save-button.tsx";
import styles from "./shelf.module.css";
import { StoryRow } from "./story-row.tsx";

const MAX_SHOWN = 6;

/** The stories that the user has saved for later, newest first. Renders nothing without any. */
export function SavedShelf({ stories }: { stories: readonly SavedStory[] }) {
  if (stories.length === 0) return null;
  const hiddenStories = stories.slice(MAX_SHOWN);
  return (
    <section className={styles.shelf} aria-labelledby="saved">
      <h2 id="saved">Saved for later</h2>
      <SavedRows stories={stories.slice(0, MAX_SHOWN)} />
      {hiddenStories.length > 0 ? (
        <details className={styles.hiddenStories}>
          <summary className={styles.more}>{hiddenStories.length} more</summary>
          <SavedRows stories={hiddenStories} />
        </details>
      ) : null}
    </section>
  );
}

function SavedRows({ stories }: { stories: readonly SavedStory[] }) {
  return (
    <ul className={styles.list}>
      {stories.map(({ minutes, isWithdrawn, ...story }) => (
        <StoryRow key={story.id} {...story}>
          {isWithdrawn ? "withdrawn" : `${minutes} min`}
          <SaveButton id={story.id} title={story.title} isSaved />
        </StoryRow>
      ))}
    </ul>
  );
}
