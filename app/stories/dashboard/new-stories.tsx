import type { SearchResult } from "#app/stories/sample-item.ts";
import { StoryItem } from "./story-item.tsx";
import styles from "./story-list.module.css";

/** The newest published stories. Renders nothing if there are none, and a message if they are `null`: unavailable. */
export function NewStories({ stories }: { stories: SearchResult[] | null }) {
  if (stories?.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="new-stories">
      <h2 id="new-stories">New from our writers</h2>
      {stories ? (
        <ul className={styles.grid}>
          {stories.map((story) => (
            <StoryItem key={story.readLink} {...story} />
          ))}
        </ul>
      ) : (
        <p>We can't load new stories right now. Try again in a moment.</p>
      )}
    </section>
  );
}
