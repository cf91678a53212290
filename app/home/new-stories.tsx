import { toWriterPath } from "#app/stories/book.ts";
import type { StoryEntry } from "#app/stories/story-entry.ts";
import { Bdi } from "#app/ui/bdi.tsx";
import { Link } from "#app/ui/link.tsx";
import { StoryRow } from "./story-row.tsx";
import styles from "./shelf.module.css";

/** A new story, or one with a new chapter. */
export interface NewStory extends StoryEntry {
  isNewChapter: boolean;
  /** When it was published or continued, such as "yesterday". */
  when: string;
}

export interface NewStoriesProps {
  /** `null` when they are unavailable. */
  stories: NewStory[] | null;
  /** The writers that the user follows. Their stories come first. */
  following: readonly { uid: string; name: string }[];
}

/** The newest published stories. Renders nothing if there are none, and a message if they are unavailable. */
export function NewStories({ stories, following }: NewStoriesProps) {
  if (stories?.length === 0) return null;
  return (
    <section className={styles.shelf} aria-labelledby="new-stories">
      <div className={styles.head}>
        <h2 id="new-stories">New from our writers</h2>
        <Link variant="standalone" to="/home?sort=new">
          All stories
        </Link>
      </div>
      {following.length > 0 ? (
        <p className={styles.following}>
          You follow{" "}
          {following.map(({ uid, name }, index) => (
            <span key={uid}>
              {index > 0 ? ", " : null}
              <Link to={toWriterPath(uid)}>
                <Bdi>{name}</Bdi>
              </Link>
            </span>
          ))}
          .
        </p>
      ) : null}
      {stories ? (
        <ul className={styles.list}>
          {stories.map((story) => (
            <StoryRow key={story.id} {...story} cover={story.imgPath}>
              {story.isNewChapter ? "New chapter" : `${story.minutes} min`} · {story.when}
            </StoryRow>
          ))}
        </ul>
      ) : (
        <p>We can't load new stories right now. Try again in a moment.</p>
      )}
    </section>
  );
}
